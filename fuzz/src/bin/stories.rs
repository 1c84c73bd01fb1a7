//! Several files as a story, cut and joined by the input: imports, includes and macros of broken neighbours.
//!
//! The input is split at lines `--- NAME`; each part is a file. A first byte chooses which shipped story lies underneath, so
//! that most mutations hit something that means something.
#![no_main]

use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use kitsoki_compiler::db::{Database, Db, MemorySystem};
use kitsoki_compiler::pipeline;
use libfuzzer_sys::fuzz_target;

/// The shipped stories, one list of files each.
fn shipped() -> &'static [Vec<(Utf8PathBuf, String)>] {
    static STORIES: std::sync::OnceLock<Vec<Vec<(Utf8PathBuf, String)>>> = std::sync::OnceLock::new();
    STORIES.get_or_init(|| {
        let root = Utf8Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../stories"));
        let mut stories = Vec::new();
        for entry in root.read_dir_utf8().into_iter().flatten().flatten() {
            let mut files = Vec::new();
            gather(entry.path(), entry.path(), &mut files);
            files.sort();
            if !files.is_empty() {
                stories.push(files);
            }
        }
        stories.sort();
        stories
    })
}

fn gather(root: &Utf8Path, dir: &Utf8Path, files: &mut Vec<(Utf8PathBuf, String)>) {
    for entry in dir.read_dir_utf8().into_iter().flatten().flatten() {
        if entry.path().is_dir() {
            gather(root, entry.path(), files);
        } else if let (Ok(text), Ok(path)) = (std::fs::read_to_string(entry.path()), entry.path().strip_prefix(root)) {
            files.push((path.to_owned(), text));
        }
    }
}

fuzz_target!(|bytes: &[u8]| {
    let Some((choice, rest)) = bytes.split_first() else { return };
    let Ok(edits) = std::str::from_utf8(rest) else { return };
    let stories = shipped();
    let mut files: Vec<(Utf8PathBuf, String)> = Vec::new();
    if !stories.is_empty() {
        for (path, text) in &stories[*choice as usize % stories.len()] {
            files.push((Utf8Path::new("/s").join(path), text.clone()));
        }
    }
    // `@N,M text`: replace from line N to line M of a file, chosen by N, by the text.
    for edit in edits.split('@').skip(1) {
        let (at, text) = edit.split_once(' ').unwrap_or((edit, ""));
        let (from, to) = at.split_once(',').unwrap_or((at, at));
        let (Ok(from), Ok(to)) = (from.parse::<usize>(), to.parse::<usize>()) else { continue };
        let count = files.len().max(1);
        if let Some((_, file)) = files.get_mut(from % count) {
            let lines: Vec<&str> = file.lines().collect();
            let from = (from / count).min(lines.len());
            let to = to.clamp(from, lines.len());
            let joined = [&lines[..from], &[text], &lines[to..]].concat().join("\n");
            *file = joined;
        }
    }
    files.push((Utf8PathBuf::from("/s/more/app.yaml"), edits.to_owned()));
    let db = Database::new(Arc::new(MemorySystem::new(files)));
    let root = db.file(Utf8Path::new("/s/app.yaml"));
    let _ = pipeline::findings(&db, root);
    let _ = pipeline::lowered(&db, root);
});
