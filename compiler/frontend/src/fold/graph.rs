//! Which manifest imports which: found without recursion, so that cycles and endless chains end (`imports` 3.5).

use kitsoki_diagnostics::Diagnostic;
use kitsoki_syntax::Span;
use rustc_hash::{FxHashMap, FxHashSet};

use super::source;
use crate::db::{Db, SourceFile};
use crate::pipeline;
use crate::rules::cx::place;
use crate::rules::imports as rules;
use crate::surface::{Import, MapEntry};
use kitsoki_syntax::text_range;

/// One import whose child is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    /// The child's manifest.
    pub child: SourceFile,
    /// The place of `source`.
    pub source: Span,
}

/// The manifests below one.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Reach {
    /// Every manifest that can be reached, the start only when it is part of a cycle.
    pub files: FxHashSet<SourceFile>,
    /// The longest chain of imports, cycles cut.
    pub height: usize,
}

/// Most manifests below one story, and the longest chain: far beyond every real story, near enough to end.
pub(super) const MAX_MANIFESTS: usize = 500;
pub(super) const MAX_CHAIN: usize = 50;

/// Whether an alias may be one: it becomes a state's name and a prefix (`imports` 2.1).
pub(super) fn is_alias(alias: &str) -> bool {
    let mut chars = alias.chars();
    chars.next().is_some_and(|c| c.is_ascii_lowercase())
        && chars.all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

/// The children of one manifest in the order of their aliases.
pub fn edges(db: &dyn Db, file: SourceFile) -> Vec<Edge> {
    let package = pipeline::package(db, file);
    let Some(imports) = &package.manifest.imports else {
        return Vec::new();
    };
    imports
        .sorted()
        .into_iter()
        .filter_map(|entry| edge(db, file, entry))
        .collect()
}

fn edge(db: &dyn Db, file: SourceFile, entry: &MapEntry<Import>) -> Option<Edge> {
    if !is_alias(entry.name.as_str()) {
        return None;
    }
    let source = entry.value.source.as_ref().filter(|s| !s.text.is_empty())?;
    let child = source::resolve(db, file.dir(db), source.as_str()).ok()?;
    Some(Edge {
        child: same_file(db, file, child),
        source: place(db, &source.value, text_range(0, source.text.len())),
    })
}

/// The one file behind a path with links in it, so that a link that leads back ends as a cycle. Below an importer that is
/// itself reached through a link paths stay as written.
pub(super) fn same_file(db: &dyn Db, importer: SourceFile, child: SourceFile) -> SourceFile {
    let path = child.path(db);
    let canonical = db.system().canonical(path);
    if canonical == *path || db.system().canonical(importer.path(db)) != *importer.path(db) {
        return child;
    }
    db.file(&canonical)
}

/// Everything below `start`.
pub fn reach(db: &dyn Db, start: SourceFile) -> Reach {
    let mut reach = Reach::default();
    let mut heights: FxHashMap<SourceFile, Option<usize>> = FxHashMap::default();
    let mut stack: Vec<(SourceFile, usize, usize)> = vec![(start, 0, 0)];
    heights.insert(start, None);
    while let Some((file, next, height)) = stack.pop() {
        let Some(edge) = pipeline::import_edges(db, file).get(next) else {
            heights.insert(file, Some(height));
            if let Some(above) = stack.last_mut() {
                above.2 = above.2.max(height + 1);
            }
            reach.height = height;
            continue;
        };
        stack.push((file, next + 1, height));
        reach.files.insert(edge.child);
        match heights.get(&edge.child) {
            // An edge back: part of a cycle.
            Some(None) => {}
            Some(Some(below)) => {
                let below = *below;
                if let Some(above) = stack.last_mut() {
                    above.2 = above.2.max(below + 1);
                }
            }
            None if reach.files.len() > MAX_MANIFESTS || stack.len() > MAX_CHAIN => {
                // Too much already: who asks will not fold.
                reach.height = reach.height.max(stack.len());
                return reach;
            }
            None => {
                heights.insert(edge.child, None);
                stack.push((edge.child, 0, 0));
            }
        }
    }
    reach
}

/// The imports that come back to a manifest being loaded, as seen from the root (`imports` 3.5).
pub(crate) fn cycles(db: &dyn Db, root: SourceFile) -> Vec<Diagnostic> {
    let below = pipeline::reachable(db, root);
    let cyclic = below
        .files
        .iter()
        .chain([&root])
        .any(|f| pipeline::reachable(db, *f).files.contains(f));
    if !cyclic || below.files.len() > MAX_MANIFESTS || below.height > MAX_CHAIN {
        return Vec::new();
    }
    let mut out = Vec::new();
    let mut done: FxHashSet<SourceFile> = FxHashSet::default();
    let mut path: Vec<(SourceFile, usize)> = vec![(root, 0)];
    while let Some((file, next)) = path.pop() {
        let Some(edge) = pipeline::import_edges(db, file).get(next) else {
            done.insert(file);
            continue;
        };
        path.push((file, next + 1));
        if let Some(first) = path.iter().position(|(f, _)| *f == edge.child) {
            let ring: Vec<SourceFile> = path.iter().skip(first).map(|(f, _)| *f).collect();
            // The import that leads into the ring from its first manifest, when it is another one.
            let into = path.get(first).filter(|(f, _)| *f != file).and_then(|(f, taken)| {
                pipeline::import_edges(db, *f)
                    .get(taken.checked_sub(1)?)
                    .map(|e| e.source)
            });
            let names: Vec<String> = ring.iter().chain([&edge.child]).map(|f| shown(db, root, *f)).collect();
            out.push(rules::import_cycle(edge.source, &names, into));
        } else if !done.contains(&edge.child) {
            path.push((edge.child, 0));
        }
    }
    out
}

/// A path for people: below the folder of the root where it lies there.
pub(super) fn shown(db: &dyn Db, root: SourceFile, file: SourceFile) -> String {
    let path = file.path(db);
    path.strip_prefix(root.dir(db)).unwrap_or(path).to_string()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::db::{Database, MemorySystem};

    fn story(imports: &[(&str, &str)]) -> String {
        let list: Vec<String> = imports.iter().map(|(a, s)| format!("{a}: {{ source: {s} }}")).collect();
        format!(
            "app: {{ id: x, version: 1.0.0 }}\nroot: r\nstates: {{ r: {{ terminal: true }} }}\nimports: {{ {} }}\n",
            list.join(", ")
        )
    }

    #[test]
    fn a_cycle_is_cut_and_reported_once() {
        let db = Database::new(Arc::new(MemorySystem::new([
            ("/s/app.yaml", story(&[("b", "./b"), ("c", "./c")])),
            ("/s/b/app.yaml", story(&[("c", "../c")])),
            ("/s/c/app.yaml", story(&[("b", "../b")])),
        ])));
        let root = db.file("/s/app.yaml".into());
        let found = cycles(&db, root);
        assert_eq!(found.len(), 1);
        assert!(found[0].message.contains("b/app.yaml"), "{}", found[0].message);
        assert!(!reach(&db, root).files.contains(&root));
        // Loading ends, and what is cut is not blamed on anybody.
        let loaded = pipeline::loaded(&db, root);
        assert!(loaded.incomplete.states);
        assert!(loaded.findings.is_empty(), "{:?}", loaded.findings);
    }

    #[test]
    fn the_longest_chain_is_known() {
        let db = Database::new(Arc::new(MemorySystem::new([
            ("/s/app.yaml", story(&[("b", "./b"), ("c", "./c")])),
            ("/s/b/app.yaml", story(&[("c", "../c")])),
            ("/s/c/app.yaml", story(&[])),
        ])));
        let reach = reach(&db, db.file("/s/app.yaml".into()));
        assert_eq!((reach.files.len(), reach.height), (2, 2));
    }

    #[test]
    fn an_endless_chain_ends_with_a_finding() {
        let files = (0..200).map(|i| (format!("/s/{i}/app.yaml"), story(&[("n", &format!("../{}", i + 1))])));
        let db = Database::new(Arc::new(MemorySystem::new(files)));
        let root = db.file("/s/0/app.yaml".into());
        let found = &pipeline::loaded(&db, root).findings;
        assert_eq!(found.iter().map(|f| f.rule).collect::<Vec<_>>(), ["import-too-large"]);
    }
}
