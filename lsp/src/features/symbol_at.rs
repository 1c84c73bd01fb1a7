//! What is at a place: the base of nearly every feature.

use kitsoki_compiler::db::{Db, SourceFile};
use kitsoki_compiler::pipeline;
use kitsoki_compiler::surface::Optional as _;
use kitsoki_syntax::{Entry, NodeKind, Span, TextRange};

use super::{At, Place, Snapshot, stories};
use crate::index::form::{Form, form};
use crate::index::language;
use crate::index::names::{Occurrence, names as names_of, piece_at, pieces};
use crate::index::resolve::{Declared, Part, Symbol, beside, is_view, package_names, parts};
use crate::index::schema::{Kind, Role};
use crate::index::walk::scalar;

/// A name at a place.
#[derive(Clone, PartialEq, Debug)]
pub struct Hit {
    /// The package in whose names it is written.
    pub package: SourceFile,
    /// The bytes of the whole file that spell the part at the place.
    pub place: Place,
    /// The occurrence; its ranges count from its piece.
    pub occurrence: Occurrence,
    /// What it means.
    pub symbol: Symbol,
}

/// The packages in whose names a file is written: those that it is part of; of a fixture, a view file, a script the story
/// in the nearest folder.
#[must_use]
pub fn packages(snapshot: &Snapshot, file: SourceFile) -> Vec<SourceFile> {
    let db = &snapshot.db;
    if form(db, file) != Form::Story {
        let all = stories::above(snapshot, file.path(db));
        let nearest = all.first().map(|m| m.dir(db).to_owned());
        let view = form(db, file) == Form::View;
        let own = |m: &SourceFile| nearest.as_deref() == Some(m.dir(db));
        return all
            .into_iter()
            .filter(|m| own(m) && (!view || is_view(m.dir(db), file.path(db))))
            .collect();
    }
    let found = stories::packages(snapshot, file);
    if found.is_empty() {
        // A file that nobody includes yet still has its own names.
        let path = file.path(db);
        let yaml = path.as_str().ends_with(".yaml") || path.as_str().ends_with(".yml");
        let part = yaml && *looks_like_part(db, file) && !stories::above(snapshot, path).is_empty();
        return if part { vec![file] } else { Vec::new() };
    }
    found
}

/// Whether a file that no story includes reads like a part of one: every key at its margin is a key of a manifest.
#[salsa::tracked(returns(ref))]
fn looks_like_part(db: &dyn Db, file: SourceFile) -> bool {
    let tree = &pipeline::parse(db, file).tree;
    let entries = match tree.root().map(|r| &tree.node(r).kind) {
        Some(NodeKind::Mapping(entries)) => entries,
        _ => return false,
    };
    let known = |e: &Entry| scalar(tree, e.key).is_some_and(|k| language::MANIFEST.key(k).is_some());
    !entries.is_empty() && entries.iter().all(known)
}

/// Whether a file belongs to a story: nothing is shown in those of other tools.
#[must_use]
pub fn is_ours(snapshot: &Snapshot, file: SourceFile) -> bool {
    !packages(snapshot, file).is_empty()
}

/// The names at a place, one for each package that the file is part of.
#[must_use]
pub fn hits(snapshot: &Snapshot, at: At) -> Vec<Hit> {
    let db = &snapshot.db;
    let piece = piece_at(db, at.file, at.offset);
    let Some(offset) = at.offset.checked_sub(piece.offset) else {
        return Vec::new();
    };
    let all = names_of(db, piece.file);
    let here: Vec<&Occurrence> = all.iter().filter(|o| o.range.contains_inclusive(offset)).collect();
    if here.is_empty() {
        return Vec::new();
    }
    let mut out: Vec<Hit> = Vec::new();
    for package in packages(snapshot, at.file) {
        for o in &here {
            let parts = parts(db, package, o);
            let part = parts
                .iter()
                .rev()
                .find(|p| p.range.contains_inclusive(offset))
                .or(parts.last());
            let Some(Part { symbol, range }) = part else { continue };
            let hit = Hit {
                package,
                place: Place {
                    file: at.file,
                    range: *range + piece.offset,
                },
                occurrence: (*o).clone(),
                symbol: symbol.clone(),
            };
            if !out.iter().any(|h| h.symbol == hit.symbol) {
                out.push(hit);
            }
        }
    }
    out
}

/// The place of a declaration: its name, and all of it.
#[must_use]
pub fn declared_place(snapshot: &Snapshot, declared: Declared) -> Option<(Place, TextRange)> {
    let db = &snapshot.db;
    let mut declarations = names_of(db, declared.piece)
        .iter()
        .filter(|o| o.role == Role::Definition);
    let o = declarations.nth(declared.nth)?;
    let offset = declared.piece.offset(db);
    Some((
        Place {
            file: declared.file,
            range: o.range + offset,
        },
        o.full + offset,
    ))
}

/// Where a symbol is declared: its name, and all of the declaration. For what a macro made, the place that caused it.
#[must_use]
pub fn declarations(snapshot: &Snapshot, symbol: &Symbol) -> Vec<(Place, TextRange)> {
    let db = &snapshot.db;
    let package = package_names(db, symbol.manifest);
    let found: Vec<(Place, TextRange)> = package
        .declarations(symbol.kind, &symbol.name, &symbol.owner)
        .iter()
        .filter_map(|d| declared_place(snapshot, *d))
        .collect();
    if !found.is_empty() {
        return found;
    }
    let Some(span) = made(snapshot, symbol) else {
        return Vec::new();
    };
    let place = snapshot.place(span);
    place.map(|p| (p, p.range)).into_iter().collect()
}

/// The place that caused a declaration which nobody wrote.
fn made(snapshot: &Snapshot, symbol: &Symbol) -> Option<Span> {
    let story = pipeline::story(&snapshot.db, symbol.manifest);
    let name = symbol.name.as_str();
    if !symbol.owner.is_empty() {
        return None;
    }
    match symbol.kind {
        Kind::World => story.manifest.world.as_ref()?.value.entry(name).map(|e| e.name.span),
        Kind::Intent => story.manifest.intents.as_ref()?.value.entry(name).map(|e| e.name.span),
        Kind::State => {
            let mut states = story.manifest.states.value();
            let mut found = None;
            for part in name.split('.') {
                let entry = states?.entry(part)?;
                found = Some(entry.name.span);
                states = entry.value.states.value();
            }
            found
        }
        _ => None,
    }
}

/// One use of a symbol.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Use {
    /// The bytes that spell it.
    pub place: Place,
    /// What is done.
    pub role: Role,
    /// It stands beside the story: in a fixture, a cassette, a view file, a script.
    pub fixture: bool,
    /// The bytes spell the name itself and may be replaced.
    pub exact: bool,
}

/// Where uses are looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reach {
    /// In one file.
    File(SourceFile),
    /// In the package that declares it.
    Package,
    /// In every story of the workspace that can name it, with fixtures.
    Everywhere,
}

/// The uses of a symbol, declarations included, by file and place.
#[must_use]
pub fn uses(snapshot: &Snapshot, symbol: &Symbol, reach: Reach) -> Vec<Use> {
    let db = &snapshot.db;
    let mut packages = vec![symbol.manifest];
    if reach == Reach::Everywhere || matches!(reach, Reach::File(_)) {
        packages.extend(stories::importers(snapshot, &[symbol.manifest]));
    }
    let mut out: Vec<Use> = Vec::new();
    for package in packages {
        snapshot.check_cancelled();
        let files = package_names(db, package).files.clone();
        let more: &[SourceFile] = match reach {
            Reach::Package => &[],
            Reach::File(_) | Reach::Everywhere => beside(db, package),
        };
        let all = files.iter().map(|f| (*f, false)).chain(more.iter().map(|f| (*f, true)));
        for (file, fixture) in all {
            if matches!(reach, Reach::File(only) if only != file) {
                continue;
            }
            for piece in pieces(db, file) {
                for o in names_of(db, piece.file).iter().filter(|o| may_mean(o, symbol)) {
                    for part in parts(db, package, o) {
                        if part.symbol == *symbol {
                            let place = Place {
                                file,
                                range: part.range + piece.offset,
                            };
                            let exact = usize::from(part.range.len()) == symbol.leaf().len();
                            out.push(Use {
                                place,
                                role: o.role,
                                fixture,
                                exact,
                            });
                        }
                    }
                }
            }
        }
    }
    out.sort_by(|a, b| {
        let key = |u: &Use| (u.fixture, u.place.file.path(db).clone(), u.place.range.start());
        key(a).cmp(&key(b))
    });
    out.dedup_by(|a, b| a.place == b.place);
    out
}

/// A quick look at whether an occurrence can mean a symbol.
fn may_mean(o: &Occurrence, symbol: &Symbol) -> bool {
    match symbol.kind {
        Kind::Import => o.name.contains(symbol.name.as_str()),
        kind => {
            (o.kind == kind || (o.kind == Kind::Phase && kind == Kind::State)) && o.name.ends_with(symbol.name.as_str())
        }
    }
}
