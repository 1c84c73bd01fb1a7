//! How each file of a story comes into it: through a pattern of `include:`, or as the manifest of an import.
//!
//! Asked only when there is something to say about a file other than the manifest of the story.

use kitsoki_diagnostics::{Diagnostic, Entrance, Way};
use kitsoki_syntax::FileId;
use rustc_hash::FxHashMap;

use super::glob;
use crate::db::{Db, SourceFile, whole_span};
use crate::pipeline::{decoded, import_edges};

/// Most places of one chain that are told: a deeper one is read from its inner end.
const MAX_CHAIN: usize = 4;

/// The files of a story with the way by which each comes in, outwards. Places lie in whole files.
#[derive(Default)]
pub(crate) struct Entrances(FxHashMap<FileId, Entrance>);

impl Entrances {
    /// Says of every finding outside of the manifest of `root` how its file comes in. `files` are those of the story in the
    /// order of loading: of several ways the first is told.
    pub(crate) fn add_to(&mut self, db: &dyn Db, files: &[SourceFile], root: SourceFile, findings: &mut [Diagnostic]) {
        let home = root.file_id(db);
        for finding in findings {
            let Some(mut at) = finding.primary.as_ref().map(|p| p.span.file).filter(|f| *f != home) else {
                continue;
            };
            if self.0.is_empty() {
                self.read(db, files, root);
            }
            while let Some(entrance) = self.0.get(&at).filter(|_| finding.entrances.len() < MAX_CHAIN) {
                finding.entrances.push(entrance.clone());
                at = entrance.span.file;
            }
        }
    }

    fn read(&mut self, db: &dyn Db, files: &[SourceFile], root: SourceFile) {
        let home = root.file_id(db);
        let mut add = |file: SourceFile, span, way| {
            let id = file.file_id(db);
            if id != home {
                let span = whole_span(db, span);
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
