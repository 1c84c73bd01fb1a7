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

/// Says of every finding outside of the manifest of `root` how its file comes in, outwards. `files` are those of the story in
/// the order of loading: of several ways the first is told. Places lie in whole files.
pub(crate) fn add_entrances(db: &dyn Db, files: &[SourceFile], root: SourceFile, findings: &mut [Diagnostic]) {
    let home = root.file_id(db);
    let is_outside = |f: &Diagnostic| f.primary.as_ref().is_some_and(|p| p.span.file != home);
    if !findings.iter().any(is_outside) {
        return;
    }
    let ways = ways(db, files, root);
    for finding in findings {
        let Some(mut at) = finding.primary.as_ref().map(|p| p.span.file).filter(|f| *f != home) else {
            continue;
        };
        while let Some(entrance) = ways.get(&at).filter(|_| finding.entrances.len() < MAX_CHAIN) {
            finding.entrances.push(entrance.clone());
            at = entrance.span.file;
        }
    }
}

/// The way by which each file of a story comes in.
fn ways(db: &dyn Db, files: &[SourceFile], root: SourceFile) -> FxHashMap<FileId, Entrance> {
    let mut ways = FxHashMap::default();
    let mut add = |file: SourceFile, span, way| {
        if file != root {
            let span = whole_span(db, span);
            ways.entry(file.file_id(db)).or_insert(Entrance { span, way });
        }
    };
    for from in files {
        let Some(manifest) = &decoded(db, *from).manifest else {
            continue;
        };
        for pattern in manifest.include.iter().flat_map(|i| i.value.iter()) {
            let found = glob::expand(db, from.dir(db), pattern.as_str()).unwrap_or_default();
            found.into_iter().for_each(|f| add(f, pattern.span, Way::Included));
        }
        // Only a manifest has imports; an included file is not read as one for nothing.
        if manifest.imports.is_some() {
            let edges = import_edges(db, *from).iter();
            edges.for_each(|e| add(e.child, e.source, Way::Imported));
        }
    }
    ways
}
