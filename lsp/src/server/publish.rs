//! Pushed diagnostics: which stories are checked after a change, and what is sent of what they say.

use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use gen_lsp_types::{Diagnostic, PublishDiagnosticsParams, Uri};
use kitsoki_compiler::db::SourceFile;
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::json;

use super::convert::Convert;
use super::pool::Lane;
use super::{Outcome, Server, uri};
use crate::features::{diagnostics, stories};

/// What one story says, by file.
type ByFile = BTreeMap<Utf8PathBuf, Vec<Diagnostic>>;

/// What a worker found about a state.
pub struct Checked {
    generation: u64,
    /// What each story says; `None` after a fault of the compiler itself.
    stories: Vec<(SourceFile, Option<ByFile>)>,
    /// Every story of every open file, when the work is finished.
    all: Option<FxHashSet<SourceFile>>,
    /// Files that are answered by this, also when nothing is wrong with them.
    answered: Vec<Utf8PathBuf>,
}

/// What the client shows.
#[derive(Default)]
pub struct Published {
    stories: FxHashMap<SourceFile, ByFile>,
    sent: FxHashMap<Utf8PathBuf, Vec<Diagnostic>>,
}

impl Published {
    /// The client dropped a file: what it shows of it is not known any more.
    pub fn forget(&mut self, path: &Utf8Path) {
        if self.sent.get(path).is_some_and(Vec::is_empty) {
            self.sent.remove(path);
        }
    }

    /// What the stories say about a file, every finding once.
    fn union(&self, path: &Utf8Path) -> Vec<Diagnostic> {
        let mut all: Vec<Diagnostic> = Vec::new();
        for story in self.stories.values() {
            for found in story.get(path).into_iter().flatten() {
                if !all.contains(found) {
                    all.push(found.clone());
                }
            }
        }
        let key = |d: &Diagnostic| {
            let place = |p: gen_lsp_types::Position| (p.line, p.character);
            (place(d.range.start), place(d.range.end))
        };
        all.sort_by_key(key);
        all
    }
}

/// Starts a check of the stories of every open file, those of changed files first. A later change ends it.
pub fn start(server: &mut Server) {
    let Some(client) = server.client.clone() else { return };
    let snapshot = server.snapshot();
    let changed: Vec<Utf8PathBuf> = std::mem::take(&mut server.dirty).into_iter().collect();
    let others: Vec<Utf8PathBuf> = server
        .documents
        .keys()
        .filter(|p| !changed.contains(p))
        .cloned()
        .collect();
    let documents: Arc<FxHashMap<Utf8PathBuf, Uri>> = Arc::new(
        server
            .documents
            .iter()
            .map(|(path, d)| (path.clone(), d.uri.clone()))
            .collect(),
    );
    let generation = server.generation;
    server.checking = true;
    let to_loop = server.to_loop.clone();
    let (report, waiting) = (to_loop.clone(), changed.clone());
    let job = move || {
        let mut done: FxHashSet<SourceFile> = FxHashSet::default();
        let convert = Convert::new(&snapshot, client.encoding, documents);
        let mut batch = |paths: Vec<Utf8PathBuf>, last: bool| {
            let mut found = Vec::new();
            for path in &paths {
                for root in stories::roots(&snapshot, snapshot.file(path)) {
                    if done.insert(root) {
                        found.push((root, of_story(&convert, root)));
                    }
                }
            }
            let checked = Checked {
                generation,
                stories: found,
                all: last.then(|| done.clone()),
                answered: paths,
            };
            let _ = to_loop.send(Outcome::Checked(checked));
        };
        let last = others.is_empty();
        batch(changed, last);
        if !last {
            batch(others, true);
        }
    };
    server.pool.spawn(Lane::Background, move || {
        if let Err(payload) = std::panic::catch_unwind(AssertUnwindSafe(job)) {
            // A newer state cancels. After a fault the same state would only fail again.
            let paths = if payload.is::<salsa::Cancelled>() {
                waiting
            } else {
                Vec::new()
            };
            let _ = report.send(Outcome::Interrupted { generation, paths });
        }
    });
}

/// A check did not come to its end. When that was not because of an edit, which starts another one, the files that still wait
/// for it are checked again.
pub fn interrupted(server: &mut Server, generation: u64, paths: Vec<Utf8PathBuf>) {
    if generation == server.generation {
        server.checking = false;
        server.dirty.extend(paths);
    }
}

/// Looks at the stories of the open files again after words were taken over, so that nobody waits for it later.
pub fn warm(server: &mut Server) {
    server.warming = true;
    let to_loop = server.to_loop.clone();
    let snapshot = server.snapshot();
    let paths: Vec<Utf8PathBuf> = server.documents.keys().cloned().collect();
    server.pool.spawn(Lane::Background, move || {
        let job = move || {
            let roots = paths
                .iter()
                .flat_map(|path| stories::roots(&snapshot, snapshot.file(path)));
            for root in roots.collect::<FxHashSet<SourceFile>>() {
                let _ = kitsoki_compiler::pipeline::check(&snapshot.db, root);
            }
        };
        // A newer state ends it: then it is looked at anyway.
        let _ = std::panic::catch_unwind(AssertUnwindSafe(job));
        let _ = to_loop.send(Outcome::Warmed);
    });
}

fn of_story(convert: &Convert<'_>, root: SourceFile) -> Option<ByFile> {
    let run = || {
        let report = diagnostics::of_story(convert.snapshot, root);
        let mut by_file: ByFile = BTreeMap::new();
        for finding in &report.findings {
            if let Some((file, diagnostic)) = convert.diagnostic(finding, root) {
                by_file
                    .entry(file.path(&convert.snapshot.db).clone())
                    .or_default()
                    .push(diagnostic);
            }
        }
        by_file
    };
    stories::despite_a_fault(run)
}

/// Takes over what a worker found and sends what is different from what the client shows.
pub fn take(server: &mut Server, checked: Checked) {
    if checked.generation != server.generation {
        // The change may have been elsewhere, with nothing started because of it.
        server.dirty.extend(checked.answered);
        return;
    }
    let mut touched: FxHashSet<Utf8PathBuf> = FxHashSet::default();
    for (root, found) in checked.stories {
        match found {
            Some(found) => {
                touched.extend(found.keys().cloned());
                if let Some(before) = server.published.stories.insert(root, found) {
                    touched.extend(before.into_keys());
                }
            }
            None => {
                let path = root.path(&server.db).clone();
                server.log(&format!("the compiler failed on {path}; the other stories are checked"));
            }
        }
    }
    if let Some(all) = checked.all {
        server.checking = false;
        let gone: Vec<SourceFile> = server
            .published
            .stories
            .keys()
            .filter(|root| !all.contains(root))
            .copied()
            .collect();
        for root in gone {
            touched.extend(
                server
                    .published
                    .stories
                    .remove(&root)
                    .into_iter()
                    .flat_map(ByFile::into_keys),
            );
        }
    }
    touched.extend(checked.answered.iter().cloned());
    for path in touched {
        let now = server.published.union(&path);
        let answered = checked.answered.contains(&path) && server.unanswered.remove(&path);
        if answered || server.published.sent.get(&path).is_none_or(|before| *before != now) {
            send(server, path, now);
        }
    }
}

/// After the last file of a story was closed: what was said about the story is taken back.
pub fn withdraw(server: &mut Server) {
    if server.documents.is_empty() {
        server.published.stories.clear();
        let shown: Vec<Utf8PathBuf> = server.published.sent.keys().cloned().collect();
        for path in shown {
            if server.published.sent.get(&path).is_some_and(|d| !d.is_empty()) {
                send(server, path, Vec::new());
            }
        }
    }
}

fn send(server: &mut Server, path: Utf8PathBuf, diagnostics: Vec<Diagnostic>) {
    let document = server.documents.get(&path);
    let never = server.published.sent.get(&path).is_none_or(Vec::is_empty);
    if document.is_none() && diagnostics.is_empty() && never {
        return;
    }
    let params = PublishDiagnosticsParams {
        uri: document.map_or_else(|| uri::of_path(&path), |d| d.uri.clone()),
        version: document.map(|d| d.version),
        diagnostics: diagnostics.clone(),
    };
    server.notify("textDocument/publishDiagnostics", json!(params));
    server.published.sent.insert(path, diagnostics);
}
