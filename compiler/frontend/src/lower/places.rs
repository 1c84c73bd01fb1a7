//! Provenance: a span becomes a line of a file, with the macro that made the node and the imports around it.

use std::rc::Rc;

use camino::{Utf8Path, Utf8PathBuf};
use kitsoki_ir::{Made as IrMade, Origin as IrOrigin, OriginId, Provenance};
use kitsoki_syntax::{FileId, LineIndex, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use crate::db::Db;
use crate::pipeline;
use crate::story::{Loaded, Wrapper};
use crate::surface::{Made, Origin, Text};

/// The table of origins on its way.
pub(super) struct Places<'a> {
    db: &'a dyn Db,
    base: &'a Utf8Path,
    imports: Rc<Vec<Import>>,
    files: FxHashMap<FileId, (u32, LineIndex)>,
    known: FxHashMap<(Span, Option<IrMade>, Option<OriginId>), OriginId>,
    out: Provenance,
}

/// One import and those below it: which files it brings.
struct Import {
    alias: SmolStr,
    site: Span,
    files: FxHashSet<FileId>,
    inner: Rc<Vec<Import>>,
}

/// Layers of imports that are looked at; chains beyond that end at the last one.
const MAX_LAYERS: usize = 64;

impl<'a> Places<'a> {
    pub fn new(db: &'a dyn Db, story: &'a Loaded) -> Self {
        Self {
            imports: imports(db, &story.wrappers, 0, &mut FxHashMap::default()),
            db,
            base: &story.dir,
            files: FxHashMap::default(),
            known: FxHashMap::default(),
            out: Provenance::default(),
        }
    }

    pub fn into_table(self) -> Provenance {
        self.out
    }

    /// The origin of a declaration at `head` inside of the imports `aliases`.
    pub fn node(&mut self, origin: Origin, head: Span, aliases: &[SmolStr]) -> OriginId {
        match origin {
            Origin::Written => self.at(head, None, aliases),
            Origin::Macro { made, site } => self.at(site, Some(made), aliases),
        }
    }

    /// The origin of a text.
    pub fn text(&mut self, text: &Text, aliases: &[SmolStr]) -> OriginId {
        self.at(text.span, text.made, aliases)
    }

    /// The origin of a folded name of the top level, whose aliases stand before it.
    pub fn name(&mut self, name: &Text, origin: Origin) -> OriginId {
        let aliases = self.aliases_of(name.as_str());
        match (origin, name.made) {
            (Origin::Written, Some(made)) => self.at(name.span, Some(made), &aliases),
            _ => self.node(origin, name.span, &aliases),
        }
    }

    /// The aliases before a flat name: `a__b__key` inside of `a` and its `b`.
    fn aliases_of(&self, name: &str) -> Vec<SmolStr> {
        let (mut level, mut rest, mut aliases) = (&*self.imports, name, Vec::new());
        while let Some((import, after)) = level.iter().find_map(|i| {
            rest.strip_prefix(i.alias.as_str())
                .and_then(|r| r.strip_prefix("__"))
                .map(|after| (i, after))
        }) {
            aliases.push(import.alias.clone());
            (level, rest) = (&*import.inner, after);
        }
        aliases
    }

    fn at(&mut self, span: Span, made: Option<Made>, aliases: &[SmolStr]) -> OriginId {
        let via = self.via(span.file, aliases);
        self.origin(span, made.map(ir_made), via)
    }

    /// The innermost import on the way whose files hold `file`.
    fn via(&mut self, file: FileId, aliases: &[SmolStr]) -> Option<OriginId> {
        let mut sites = Vec::new();
        let mut holding = 0;
        let mut level = &*self.imports;
        for alias in aliases {
            let Some(import) = level.iter().find(|i| i.alias == *alias) else {
                break;
            };
            sites.push(import.site);
            if import.files.contains(&file) {
                holding = sites.len();
            }
            level = &*import.inner;
        }
        sites.truncate(holding);
        let mut via = None;
        for site in sites {
            via = Some(self.origin(site, None, via));
        }
        via
    }

    fn origin(&mut self, span: Span, made: Option<IrMade>, via: Option<OriginId>) -> OriginId {
        if let Some(id) = self.known.get(&(span, made, via)) {
            return *id;
        }
        let place = self.place(span);
        let (file, line, column) = place.map_or((None, 0, 0), |(file, line, column)| (Some(file), line, column));
        let range = if file.is_some() {
            (span.range.start().into(), span.range.end().into())
        } else {
            (0, 0)
        };
        let id = self.out.origins.push(IrOrigin {
            file,
            line,
            column,
            range,
            made,
            via,
        });
        self.known.insert((span, made, via), id);
        id
    }

    fn place(&mut self, span: Span) -> Option<(u32, u32, u32)> {
        if !self.files.contains_key(&span.file) {
            let file = self.db.file_by_id(span.file)?;
            let path = file.path(self.db);
            let shown = path.strip_prefix(self.base).unwrap_or(path);
            let number = u32::try_from(self.out.files.len()).unwrap_or(u32::MAX);
            self.out.files.push(shown.as_str().into());
            let index = LineIndex::new(file.contents(self.db).text().map_or("", |t| t));
            self.files.insert(span.file, (number, index));
        }
        let (number, index) = self.files.get(&span.file)?;
        let at = index.line_col(span.range.start());
        Some((*number, at.line, at.col))
    }
}

/// The tree of imports; a child that several stories import is looked at once.
fn imports(
    db: &dyn Db,
    wrappers: &[Wrapper],
    depth: usize,
    known: &mut FxHashMap<Utf8PathBuf, Rc<Vec<Import>>>,
) -> Rc<Vec<Import>> {
    let mut all = Vec::new();
    for w in wrappers.iter().filter(|w| w.folded && depth < MAX_LAYERS) {
        let manifest = db.file(&w.manifest);
        let inner = match known.get(&w.manifest) {
            Some(inner) => Rc::clone(inner),
            None => {
                let inner = imports(db, &pipeline::loaded(db, manifest).wrappers, depth + 1, known);
                known.insert(w.manifest.clone(), Rc::clone(&inner));
                inner
            }
        };
        let files = pipeline::package(db, manifest)
            .files
            .iter()
            .map(|f| f.file_id(db))
            .collect();
        all.push(Import {
            alias: w.alias.clone(),
            site: w.alias_span,
            files,
            inner,
        });
    }
    Rc::new(all)
}

fn ir_made(made: Made) -> IrMade {
    match made {
        Made::Import => IrMade::Import,
        Made::Phases => IrMade::Phases,
        Made::Workbench => IrMade::Workbench,
        Made::Capture => IrMade::Capture,
        Made::Fallback => IrMade::Fallback,
        Made::StoryAuthoring => IrMade::StoryAuthoring,
        Made::MetaModes => IrMade::MetaModes,
        Made::Exit => IrMade::Exit,
        Made::Builtin => IrMade::Builtin,
    }
}
