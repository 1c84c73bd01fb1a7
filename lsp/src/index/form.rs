//! What kind of file a text is, and which table of the language its documents begin with.

use kitsoki_compiler::db::{Db, SourceFile};
use kitsoki_syntax::{NodeId, Tree};

use super::schema::{Sem, Ty};
use super::{fixtures, language};

/// What kind of file it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// A manifest or a file that one includes.
    Story,
    /// A flow fixture.
    Flow,
    /// A cassette.
    Cassette,
    /// Phrases with the intents that they must become.
    Intents,
    /// A recording.
    Recording,
    /// A template file of views.
    View,
    /// A Starlark script.
    Script,
}

impl Form {
    /// Whether it is YAML.
    #[must_use]
    pub fn is_yaml(self) -> bool {
        !matches!(self, Form::View | Form::Script)
    }
}

/// The root of the table for a form.
#[must_use]
pub fn root(form: Form) -> &'static Ty {
    static STORY: Ty = Ty::Decl(&language::MANIFEST);
    static FLOW: Ty = Ty::Decl(&fixtures::FLOW);
    static CASSETTE: Ty = Ty::Decl(&fixtures::CASSETTE);
    static INTENTS: Ty = Ty::Decl(&fixtures::INTENTS);
    static RECORDING: Ty = Ty::Decl(&fixtures::RECORDING);
    static TEXT: Ty = Ty::Text(Sem::Free);
    match form {
        Form::Story => &STORY,
        Form::Flow => &FLOW,
        Form::Cassette => &CASSETTE,
        Form::Intents => &INTENTS,
        Form::Recording => &RECORDING,
        Form::View | Form::Script => &TEXT,
    }
}

/// What kind of file a text is, by its own word.
#[must_use]
pub fn form_of(text: &str) -> Form {
    for line in text.lines() {
        let Some((key, rest)) = line.split_once(':') else {
            continue;
        };
        let word = rest.split(" #").next().unwrap_or_default().trim();
        match (key, word.trim_matches(['"', '\''])) {
            ("test_kind", "flow") => return Form::Flow,
            ("test_kind", "intents") => return Form::Intents,
            ("kind", "host_cassette") => return Form::Cassette,
            ("kind", "recording") => return Form::Recording,
            _ => {}
        }
    }
    Form::Story
}

/// What `look` sees at the margin of a file; `None` of a file without a text. Of a file in pieces it sees the top-level keys with
/// what stands below `app`, `kind` and `test_kind`: a key pressed elsewhere does not matter.
pub fn at_margin<T>(db: &dyn Db, file: SourceFile, look: impl FnOnce(&str) -> T) -> Option<T> {
    let chunks = file.chunks(db);
    if chunks.is_empty() {
        return file.contents(db).text().map(|text| look(text));
    }
    let mut seen = String::new();
    for piece in chunks.iter() {
        match piece.home(db) {
            Some((_, key)) if key.entry.is_some() => {}
            Some((_, key)) if !["app", "kind", "test_kind"].contains(&key.section.as_str()) => {
                seen.push_str(&key.section);
                seen.push_str(":\n");
            }
            _ => seen.push_str(piece.contents(db).text().map_or("", |t| t)),
        }
    }
    Some(look(&seen))
}

/// The form of a file: of YAML by its own word, of everything else by its name. A piece has that of its file, whose word may
/// stand in another piece.
#[salsa::tracked(returns(copy))]
pub fn form(db: &dyn Db, file: SourceFile) -> Form {
    let whole = file.whole(db);
    if whole != file {
        return form(db, whole);
    }
    match file.path(db).extension() {
        Some("star") => Form::Script,
        Some("yaml" | "yml") | None => at_margin(db, file, form_of).unwrap_or(Form::Story),
        Some(_) => Form::View,
    }
}

/// What a walk over a piece begins with.
#[must_use]
pub fn start(db: &dyn Db, piece: SourceFile) -> &'static Ty {
    match piece.home(db) {
        Some((_, key)) if key.entry.is_some() => match root(form(db, piece)) {
            Ty::Decl(decl) => decl.key(&key.section).unwrap_or(root(Form::Story)),
            other => other,
        },
        _ => root(form(db, piece)),
    }
}

/// The documents of a piece that are read: of a story the first, of fixtures every one.
#[must_use]
pub fn roots<'t>(db: &dyn Db, piece: SourceFile, tree: &'t Tree) -> &'t [NodeId] {
    let all = tree.documents();
    match form(db, piece) {
        Form::Story => all.get(..1).unwrap_or(all),
        Form::View | Form::Script => &[],
        _ => all,
    }
}
