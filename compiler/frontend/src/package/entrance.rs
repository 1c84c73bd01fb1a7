//! How each file of a story comes into it: through a pattern of `include:`, or as the manifest of an import.
//!
//! Asked only when there is something to say about a file other than the manifest of the story.

use kitsoki_diagnostics::{Diagnostic, Entrance, Way};
use kitsoki_syntax::FileId;
use rustc_hash::FxHashMap;

use super::glob;
use crate::db::{Db, SourceFile, whole_span};
use crate::pipeline::{decoded, import_edges, story};

/// Most places of one chain that are told: a deeper one is read from its inner end.
const MAX_CHAIN: usize = 4;

/// The files of a story with the way by which each comes in. Places lie where the declarations lie, which may be in pieces.
#[derive(Default)]
pub(crate) struct Entrances(FxHashMap<FileId, Entrance>);

/// Says of every finding outside of the manifest of `root` how its file comes in, outwards. `files` are those of the story in
/// the order of loading: of several ways the first is told. Places lie in whole files.
pub(crate) fn add_entrances(db: &dyn Db, files: &[SourceFile], root: SourceFile, findings: &mut [Diagnostic]) {
    let home = root.file_id(db);
    let is_outside = |f: &Diagnostic| f.primary.as_ref().is_some_and(|p| p.span.file != home);
    if !findings.iter().any(is_outside) {
        return;
    }
    if db.editing() {
        kept(db, root).add_to(db, home, findings);
    } else {
        Entrances::of(db, files, root).add_to(db, home, findings);
    }
}

/// The same for every state of a session of edits in which no file comes in another way.
#[salsa::tracked(returns(ref), no_eq)]
fn kept(db: &dyn Db, root: SourceFile) -> Entrances {
    Entrances::of(db, &story(db, root).files, root)
}

impl Entrances {
    fn of(db: &dyn Db, files: &[SourceFile], root: SourceFile) -> Self {
        let mut this = Self::default();
        this.read(db, files, root);
        this
    }

    fn add_to(&self, db: &dyn Db, home: FileId, findings: &mut [Diagnostic]) {
        for finding in findings {
            let Some(mut at) = finding.primary.as_ref().map(|p| p.span.file).filter(|f| *f != home) else {
                continue;
            };
            while let Some(entrance) = self.0.get(&at).filter(|_| finding.entrances.len() < MAX_CHAIN) {
                let span = whole_span(db, entrance.span);
                at = span.file;
                finding.entrances.push(Entrance { span, ..*entrance });
            }
        }
    }

    fn read(&mut self, db: &dyn Db, files: &[SourceFile], root: SourceFile) {
        let home = root.file_id(db);
        let mut add = |file: SourceFile, span, way| {
            let id = file.file_id(db);
            if id != home {
                self.0.entry(id).or_insert(Entrance { span, way });
            }
        };
        for from in files {
            let include = decoded(db, *from).manifest.as_ref().and_then(|m| m.include.as_ref());
            for pattern in include.into_iter().flat_map(|i| i.value.iter()) {
                let found = glob::expand(db, from.dir(db), pattern.as_str()).unwrap_or_default();
                found.into_iter().for_each(|f| add(f, pattern.span, Way::Included));
            }
            // Only a manifest has imports; an included file is not read as one for nothing.
            let imports = decoded(db, *from)
                .manifest
                .as_ref()
                .is_some_and(|m| m.imports.is_some());
            for edge in imports
                .then(|| import_edges(db, *from))
                .into_iter()
                .flat_map(|e| e.iter())
            {
                add(edge.child, edge.source, Way::Imported);
            }
        }
    }
}
