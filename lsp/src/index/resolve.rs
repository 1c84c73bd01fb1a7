//! Which declaration a name means: through includes, through the aliases of imports, down to the story that declares it.

use std::sync::Arc;

use camino::Utf8Path;
use kitsoki_compiler::db::{Db, SourceFile};
use kitsoki_compiler::pipeline;
use kitsoki_syntax::{TextRange, TextSize};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::form::{Form, form};
use super::names::{Occurrence, settled_names};
use super::schema::{Kind, Role};

/// A declared thing, the same from wherever it is named.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Symbol {
    /// The manifest whose package declares it.
    pub manifest: SourceFile,
    /// What it is.
    pub kind: Kind,
    /// Its name there; of a room its path.
    pub name: SmolStr,
    /// What it belongs to there ([`Occurrence::owner`]).
    pub owner: SmolStr,
}

impl Symbol {
    /// The part of the name that its declaration spells.
    #[must_use]
    pub fn leaf(&self) -> &str {
        match self.kind {
            Kind::State => self.name.rsplit('.').next().unwrap_or(&self.name),
            _ => &self.name,
        }
    }
}

/// What a name is stored under.
type Key = (Kind, SmolStr, SmolStr);

/// A declaration: the piece of its file, and which of its declarations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Declared {
    /// The piece.
    pub piece: SourceFile,
    /// The whole file.
    pub file: SourceFile,
    /// Which of the declarations of the piece it is.
    pub nth: usize,
}

/// The names of one package: a manifest with its includes.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PackageNames {
    /// The files.
    pub files: Vec<SourceFile>,
    /// The imports whose story is known.
    pub imports: Vec<(SmolStr, SourceFile)>,
    /// Intents of imported stories that have a bare name here, with the alias.
    lifted: FxHashMap<SmolStr, SourceFile>,
    declared: FxHashMap<Key, Vec<Declared>>,
    /// Every declaration in the order of the files.
    order: Vec<(Key, Declared)>,
}

impl PackageNames {
    /// The declarations of a name.
    #[must_use]
    pub fn declarations(&self, kind: Kind, name: &str, owner: &str) -> &[Declared] {
        let key = (kind, SmolStr::new(name), SmolStr::new(owner));
        self.declared.get(&key).map_or(&[], Vec::as_slice)
    }

    /// Every declaration of a kind, in the order of the files.
    pub fn of_kind(&self, kind: Kind) -> impl Iterator<Item = (&SmolStr, &SmolStr, Declared)> {
        self.order
            .iter()
            .filter(move |((k, _, _), _)| *k == kind)
            .map(|((_, name, owner), at)| (name, owner, *at))
    }
}

/// The files of a package and the stories that it imports: what its names depend on beside the names themselves.
///
/// The border that keeps an edit in a room from gathering every name of the package again.
#[salsa::tracked(returns(ref))]
fn shape(db: &dyn Db, manifest: SourceFile) -> Arc<PackageNames> {
    let package = pipeline::package(db, manifest);
    let mut out = PackageNames {
        files: package.files.clone(),
        ..PackageNames::default()
    };
    let Some(imports) = &package.manifest.imports else {
        return Arc::new(out);
    };
    let edges = pipeline::import_edges(db, manifest);
    for entry in &imports.value.entries {
        let Some(source) = &entry.value.source else { continue };
        let at = source.value.span;
        let edge = edges
            .iter()
            .find(|e| e.source.file == at.file && at.range.contains_range(e.source.range));
        let Some(edge) = edge.filter(|e| e.child != manifest) else {
            continue;
        };
        out.imports.push((entry.name.text.clone(), edge.child));
        let lifted = entry.value.intents.as_ref().and_then(|i| i.value.import.as_ref());
        for intent in lifted.into_iter().flat_map(|l| l.value.items.iter()) {
            out.lifted.insert(intent.text.clone(), edge.child);
        }
    }
    Arc::new(out)
}

/// What a piece declares, without places: the same after every edit that declares nothing.
#[salsa::tracked(returns(ref))]
fn declares(db: &dyn Db, piece: SourceFile) -> Arc<[(Key, usize)]> {
    settled_names(db, piece)
        .iter()
        .filter(|o| o.role == Role::Definition)
        .enumerate()
        .map(|(nth, o)| ((o.kind, o.name.clone(), o.owner.clone()), nth))
        .collect()
}

/// The inputs that hold the text of a file.
fn parts_of(db: &dyn Db, file: SourceFile) -> Vec<SourceFile> {
    let chunks = file.chunks(db);
    if chunks.is_empty() { vec![file] } else { chunks.to_vec() }
}

/// The names of a package. Places are not part of it, so that an edit in prose changes nothing here.
#[salsa::tracked(returns(ref))]
pub fn package_names(db: &dyn Db, manifest: SourceFile) -> Arc<PackageNames> {
    let mut out = PackageNames::clone(shape(db, manifest));
    for file in &out.files {
        // Where a piece begins is not asked: an edit above it must not matter.
        for piece in parts_of(db, *file) {
            for (key, nth) in declares(db, piece).iter() {
                let at = Declared {
                    piece,
                    file: *file,
                    nth: *nth,
                };
                out.declared.entry(key.clone()).or_default().push(at);
                out.order.push((key.clone(), at));
            }
        }
    }
    Arc::new(out)
}

/// One part of an occurrence: most have one, `k__note` has two.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// What it means.
    pub symbol: Symbol,
    /// Its bytes, from the start of the piece.
    pub range: TextRange,
}

/// How many imports a name may lead through.
const DEPTH: usize = 50;

/// What an occurrence means in the package of `manifest`, part by part.
#[must_use]
pub fn parts(db: &dyn Db, manifest: SourceFile, o: &Occurrence) -> Vec<Part> {
    let mut out = Vec::new();
    // What follows a phase is a phase or a room.
    if o.kind == Kind::Phase
        && package_names(db, manifest)
            .declarations(Kind::Phase, &o.name, "")
            .is_empty()
    {
        let room = Occurrence {
            kind: Kind::State,
            ..o.clone()
        };
        return parts(db, manifest, &room);
    }
    if o.kind == Kind::Slot
        && let Some(symbol) = slot(db, manifest, o)
    {
        out.push(Part { symbol, range: o.range });
        return out;
    }
    let exact = usize::from(o.range.len()) == o.name.len() - (o.hidden as usize).min(o.name.len());
    let mut cursor = Cursor::new(manifest, o);
    for _ in 0..DEPTH {
        let at = cursor.at;
        match cursor.step(db) {
            Step::Done => break,
            Step::Alias(import) => {
                out.push(Part {
                    symbol: import,
                    range: o.range,
                });
                return out;
            }
            Step::Through(import, len) => {
                if exact && o.kind != Kind::State && at >= o.hidden as usize {
                    let from = o.range.start() + size(at - o.hidden as usize);
                    out.push(Part {
                        symbol: import,
                        range: TextRange::at(from, size(len)),
                    });
                }
            }
            Step::Lifted => {}
        }
    }
    let range = match cursor.at.checked_sub(o.hidden as usize) {
        Some(skip) if exact && o.kind != Kind::State => TextRange::new(o.range.start() + size(skip), o.range.end()),
        _ => o.range,
    };
    out.push(Part {
        symbol: cursor.symbol(),
        range,
    });
    out
}

/// The declaration that a name means in the package of `manifest`.
#[must_use]
pub fn symbol(db: &dyn Db, manifest: SourceFile, kind: Kind, name: &str, owner: &str) -> Symbol {
    let at = TextRange::empty(TextSize::new(0));
    let o = Occurrence {
        kind,
        role: Role::Read,
        name: SmolStr::new(name),
        owner: SmolStr::new(owner),
        range: at,
        hidden: 0,
        full: at,
    };
    let last = parts(db, manifest, &o).pop();
    last.map_or_else(
        || Symbol {
            manifest,
            kind,
            name: o.name.clone(),
            owner: o.owner.clone(),
        },
        |p| p.symbol,
    )
}

fn slot(db: &dyn Db, manifest: SourceFile, o: &Occurrence) -> Option<Symbol> {
    if o.owner.contains('/') {
        return None;
    }
    let intent = symbol(db, manifest, Kind::Intent, &o.owner, "");
    Some(Symbol {
        manifest: intent.manifest,
        kind: Kind::Slot,
        name: o.name.clone(),
        owner: intent.name,
    })
}

fn size(n: usize) -> TextSize {
    TextSize::new(u32::try_from(n).unwrap_or(u32::MAX))
}

enum Step {
    /// The name belongs to the package at hand.
    Done,
    /// The name is that of the import itself.
    Alias(Symbol),
    /// The name leads through an import; so many bytes spell the alias.
    Through(Symbol, usize),
    /// The name leads into an import without spelling it.
    Lifted,
}

/// The way of a name through imports.
struct Cursor<'o> {
    manifest: SourceFile,
    o: &'o Occurrence,
    /// How much of the name has been used up.
    at: usize,
}

impl<'o> Cursor<'o> {
    fn new(manifest: SourceFile, o: &'o Occurrence) -> Self {
        Self { manifest, o, at: 0 }
    }

    fn rest(&self) -> &'o str {
        self.o.name.get(self.at..).unwrap_or_default()
    }

    fn symbol(&self) -> Symbol {
        Symbol {
            manifest: self.manifest,
            kind: self.o.kind,
            name: SmolStr::new(self.rest()),
            owner: self.o.owner.clone(),
        }
    }

    /// The `id` of a call stays as it is under an import: the story that has it is looked for.
    fn call(&mut self, db: &dyn Db, package: &PackageNames) -> Step {
        let name = self.rest();
        if !package.declarations(Kind::Call, name, "").is_empty() {
            return Step::Done;
        }
        let has = |child: SourceFile| {
            let below = pipeline::reachable(db, child).files.iter().copied();
            let mut all = std::iter::once(child).chain(below);
            all.any(|f| !package_names(db, f).declarations(Kind::Call, name, "").is_empty())
        };
        match package.imports.iter().find(|(_, child)| has(*child)) {
            Some((_, child)) => {
                self.manifest = *child;
                Step::Lifted
            }
            None => Step::Done,
        }
    }

    fn step(&mut self, db: &dyn Db) -> Step {
        let (kind, rest) = (self.o.kind, self.rest());
        let glue = match kind {
            Kind::State => ".",
            Kind::World | Kind::Intent | Kind::Agent | Kind::Operation | Kind::Interface | Kind::Exit | Kind::Mode => {
                "__"
            }
            Kind::Call => "",
            _ => return Step::Done,
        };
        if !self.o.owner.is_empty() {
            return Step::Done;
        }
        let package = package_names(db, self.manifest);
        if kind == Kind::Call {
            return self.call(db, package);
        }
        if package.imports.is_empty() || !package.declarations(kind, rest, "").is_empty() {
            return Step::Done;
        }
        if kind == Kind::Intent
            && let Some(child) = package.lifted.get(rest)
        {
            self.manifest = *child;
            return Step::Lifted;
        }
        for (alias, child) in &package.imports {
            let Some(tail) = rest.strip_prefix(alias.as_str()) else {
                continue;
            };
            let import = Symbol {
                manifest: self.manifest,
                kind: Kind::Import,
                name: alias.clone(),
                owner: SmolStr::default(),
            };
            if kind == Kind::State && tail.is_empty() {
                return Step::Alias(import);
            }
            if tail.strip_prefix(glue).is_some_and(|t| !t.is_empty()) {
                self.manifest = *child;
                self.at += alias.len() + glue.len();
                return Step::Through(import, alias.len());
            }
        }
        Step::Done
    }
}

/// The files in the folder of a manifest that use its names without being part of it: flow and intent fixtures, cassettes,
/// recordings, template files of views, scripts.
#[salsa::tracked(returns(ref))]
pub fn beside(db: &dyn Db, manifest: SourceFile) -> Arc<[SourceFile]> {
    const DEPTH: usize = 3;
    let mut found = Vec::new();
    let mut stack = vec![(manifest.dir(db).to_owned(), 0)];
    while let Some((dir, depth)) = stack.pop() {
        for entry in db.listing(&dir).entries(db) {
            let path = dir.join(&entry.name);
            if entry.is_dir {
                // A folder with a story of its own has fixtures of its own.
                let own = db.listing(&path).entries(db).iter().any(|e| e.name == "app.yaml");
                if depth < DEPTH && !own && !entry.name.starts_with('.') && entry.name != "node_modules" {
                    stack.push((path, depth + 1));
                }
            } else {
                let file = db.file(&path);
                let used = match path.extension() {
                    Some("yaml" | "yml") => form(db, file) != Form::Story,
                    Some("star") => true,
                    _ => is_view(manifest.dir(db), &path),
                };
                if used {
                    found.push(file);
                }
            }
        }
    }
    found.sort_by(|a, b| a.path(db).cmp(b.path(db)));
    found.into()
}

/// Whether a path is that of a template file of views.
#[must_use]
pub fn is_view(story: &Utf8Path, path: &Utf8Path) -> bool {
    path.starts_with(story.join("views")) && !matches!(path.extension(), Some("yaml" | "yml"))
}
