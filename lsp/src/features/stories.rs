//! Which stories a file belongs to.

use std::panic::AssertUnwindSafe;

use camino::{Utf8Path, Utf8PathBuf};
use kitsoki_compiler::db::{Db, SourceFile};
use kitsoki_compiler::{looks_like_story, pipeline};
use rustc_hash::FxHashSet;

use super::Snapshot;
use crate::index::form::at_margin;

/// What `f` says; `None` after a fault of the compiler. What is asked for every open file or every story must not end with
/// the first one that cannot be looked at. Work that a newer state ended goes on unwinding.
pub fn despite_a_fault<T>(f: impl FnOnce() -> T) -> Option<T> {
    match std::panic::catch_unwind(AssertUnwindSafe(f)) {
        Ok(found) => Some(found),
        Err(payload) if payload.is::<salsa::Cancelled>() => std::panic::resume_unwind(payload),
        Err(_) => None,
    }
}

/// How many folders up the manifest of an included file is looked for.
const LEVELS: usize = 4;

#[salsa::tracked(returns(copy))]
fn is_manifest(db: &dyn Db, file: SourceFile) -> bool {
    at_margin(db, file, looks_like_story) == Some(true)
}

fn is_yaml(name: &str) -> bool {
    name.ends_with(".yaml") || name.ends_with(".yml")
}

/// The manifests whose package holds the file: the file itself, or those that include it.
#[must_use]
pub fn packages(snapshot: &Snapshot, file: SourceFile) -> Vec<SourceFile> {
    let db = &snapshot.db;
    let path = file.path(db);
    if !path.file_name().is_some_and(is_yaml) {
        return Vec::new();
    }
    let mut found = Vec::new();
    if is_manifest(db, file) {
        found.push(file);
    }
    for manifest in above(snapshot, path) {
        snapshot.check_cancelled();
        let holds = || pipeline::package(db, manifest).files.contains(&file);
        if manifest != file && despite_a_fault(holds) == Some(true) {
            found.push(manifest);
        }
    }
    found
}

/// The manifests in the folder of a file and above it.
#[must_use]
pub fn above(snapshot: &Snapshot, path: &Utf8Path) -> Vec<SourceFile> {
    let db = &snapshot.db;
    let mut found = Vec::new();
    for dir in path.ancestors().skip(1).take(LEVELS) {
        let entries = db.listing(dir).entries(db);
        for entry in entries.iter().filter(|e| !e.is_dir && is_yaml(&e.name)) {
            let manifest = db.file(&dir.join(&entry.name));
            if is_manifest(db, manifest) {
                found.push(manifest);
            }
        }
        // Nobody keeps a story's parts beside the folder that was opened.
        if snapshot.workspace.folders.iter().any(|f| f == dir) {
            break;
        }
    }
    found
}

/// The stories whose check says something about the file: its packages, and the open stories that import one of them.
#[must_use]
pub fn roots(snapshot: &Snapshot, file: SourceFile) -> Vec<SourceFile> {
    let db = &snapshot.db;
    let mut found = packages(snapshot, file);
    let own: FxHashSet<SourceFile> = found.iter().copied().collect();
    if own.is_empty() {
        return found;
    }
    for open in &snapshot.workspace.open {
        let other = db.file(open);
        if other == file {
            continue;
        }
        for root in packages(snapshot, other) {
            let imports = || pipeline::reachable(db, root).files.iter().any(|f| own.contains(f));
            if !found.contains(&root) && despite_a_fault(imports) == Some(true) {
                found.push(root);
            }
        }
    }
    found
}

/// Every manifest of the workspace from which one of `packages` can be reached through imports, without themselves.
#[must_use]
pub fn importers(snapshot: &Snapshot, packages: &[SourceFile]) -> Vec<SourceFile> {
    let db = &snapshot.db;
    let mut found = Vec::new();
    for path in &snapshot.workspace.stories {
        snapshot.check_cancelled();
        let root = db.file(path);
        let imports = || pipeline::reachable(db, root).files.iter().any(|f| packages.contains(f));
        if !packages.contains(&root) && despite_a_fault(imports) == Some(true) {
            found.push(root);
        }
    }
    found
}

/// Folders that hold no stories of the author.
const SKIPPED: [&str; 5] = [".git", "node_modules", "target", "__pycache__", "dist"];
/// How deep folders are searched.
const MAX_DEPTH: usize = 24;
/// Most files that are looked at: a home folder that was opened by accident must not be read through.
const MAX_FILES: usize = 20_000;

/// The manifests below some folders, sorted. `stop` ends the search early.
#[must_use]
pub fn discover(folders: &[Utf8PathBuf], stop: &dyn Fn() -> bool) -> Vec<Utf8PathBuf> {
    let mut found = Vec::new();
    let mut looked = 0usize;
    let mut stack: Vec<(Utf8PathBuf, usize)> = folders.iter().map(|f| (f.clone(), 0)).collect();
    while let Some((dir, depth)) = stack.pop() {
        if stop() || looked > MAX_FILES {
            break;
        }
        let Ok(entries) = dir.read_dir_utf8() else { continue };
        for entry in entries.flatten() {
            let Ok(kind) = entry.file_type() else { continue };
            let name = entry.file_name();
            if kind.is_dir() {
                if depth < MAX_DEPTH && !SKIPPED.contains(&name) {
                    stack.push((entry.path().to_owned(), depth + 1));
                }
            } else if kind.is_file() && is_yaml(name) {
                looked += 1;
                let small = entry.metadata().is_ok_and(|m| m.len() < 16 << 20);
                let text = if small {
                    std::fs::read_to_string(entry.path())
                } else {
                    Ok(String::new())
                };
                if text.is_ok_and(|t| looks_like_story(&t)) {
                    found.push(entry.path().to_owned());
                }
            }
        }
    }
    found.sort();
    found.dedup();
    found
}
