//! What checking costs: from nothing, and after one edit.
//!
//! The shipped stories are the default. `KITSOKI_BENCH_STORY=path/to/app.yaml` measures another story; its edits are made
//! in its own texts (the first prose, guard and room that are found).

#![allow(missing_docs)]
#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a bench without its story has nothing to measure"
)]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use camino::{Utf8Path, Utf8PathBuf};
use divan::Bencher;
use kitsoki_compiler::db::{Database, Db, OverlaySystem, RealSystem};
use kitsoki_compiler::pipeline;

fn main() {
    // Nesting limits want room, as in the command line.
    let run = std::thread::Builder::new().stack_size(256 << 20).spawn(divan::main);
    run.expect("a thread").join().expect("benches end");
}

fn shipped() -> Vec<Utf8PathBuf> {
    let root = Utf8Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../stories"));
    let mut found: Vec<_> = root
        .read_dir_utf8()
        .expect("stories")
        .flatten()
        .map(|e| e.path().join("app.yaml"))
        .filter(|p| p.is_file())
        .collect();
    found.sort();
    found
}

fn subject() -> Utf8PathBuf {
    match std::env::var("KITSOKI_BENCH_STORY") {
        Ok(path) => Utf8PathBuf::from(path)
            .canonicalize_utf8()
            .expect("KITSOKI_BENCH_STORY"),
        Err(_) => shipped()
            .into_iter()
            .find(|p| p.as_str().contains("dev-story"))
            .expect("dev-story"),
    }
}

#[divan::bench]
fn cold_check_of_the_shipped_stories() -> usize {
    let db = Database::new(Arc::new(RealSystem));
    shipped()
        .iter()
        .map(|path| pipeline::findings(&db, db.file(path)).len())
        .sum()
}

#[divan::bench]
fn cold_check_of_one_story() -> usize {
    let db = Database::new(Arc::new(RealSystem));
    pipeline::findings(&db, db.file(&subject())).len()
}

/// A session of edits on one story: the texts of an edit are put into the overlay by turns.
struct Editing {
    db: Database,
    overlay: Arc<OverlaySystem>,
    root: Utf8PathBuf,
    file: Utf8PathBuf,
    texts: [Arc<str>; 2],
    turn: usize,
}

impl Editing {
    /// `change` makes the edited text of a file, `None` when the file has no place for it. The manifest is tried first.
    fn new(change: impl Fn(&str) -> Option<String>) -> Self {
        let root = subject();
        let overlay = Arc::new(OverlaySystem::new(Arc::new(RealSystem)));
        let db = Database::for_editing(overlay.clone());
        let _ = pipeline::findings(&db, db.file(&root));
        let files = pipeline::story(&db, db.file(&root)).files.clone();
        let (file, before, after) = files
            .iter()
            .find_map(|f| {
                let text = f.contents(&db).text()?.clone();
                Some((f.path(&db).clone(), text.clone(), change(&text)?))
            })
            .expect("a file with a place for the edit");
        Self {
            db,
            overlay,
            root,
            file,
            texts: [before, Arc::from(after)],
            turn: 0,
        }
    }

    fn step(&mut self) -> usize {
        self.turn += 1;
        self.overlay.set(&self.file, Some(self.texts[self.turn % 2].clone()));
        self.db.refresh(&self.file);
        pipeline::findings(&self.db, self.db.file(&self.root)).len()
    }
}

fn edited(bencher: Bencher, change: impl Fn(&str) -> Option<String>) {
    let mut session = Editing::new(change);
    let _ = session.step();
    let _ = session.step();
    bencher.bench_local(move || session.step());
}

/// Puts `insert` behind the first place that `find` names.
fn behind(text: &str, find: &str, insert: &str) -> Option<String> {
    let at = text.find(find)? + find.len();
    Some(format!("{}{insert}{}", text.get(..at)?, text.get(at..)?))
}

#[divan::bench]
fn nothing_changed(bencher: Bencher) {
    let mut session = Editing::new(|t| Some(t.to_owned()));
    bencher.bench_local(move || session.step());
}

#[divan::bench]
fn prose(bencher: Bencher) {
    edited(bencher, |t| behind(t, "description: \"", "More prose. "));
}

#[divan::bench]
fn guard(bencher: Bencher) {
    edited(bencher, |t| behind(t, "when: \"", "true && "));
}

#[divan::bench]
fn new_state(bencher: Bencher) {
    edited(bencher, |t| {
        behind(t, "\nstates:\n", "  bench_room: { terminal: true }\n")
    });
}

/// Prints how many queries run after each edit, once.
#[divan::bench(sample_count = 1, sample_size = 1)]
fn queries_run_again() {
    static RUNS: AtomicUsize = AtomicUsize::new(0);
    let root = subject();
    let overlay = Arc::new(OverlaySystem::new(Arc::new(RealSystem)));
    let count = |event: salsa::Event| {
        if matches!(event.kind, salsa::EventKind::WillExecute { .. }) {
            RUNS.fetch_add(1, Ordering::Relaxed);
        }
    };
    let mut db = Database::observed(overlay.clone(), Box::new(count));
    let _ = pipeline::findings(&db, db.file(&root));
    println!("  from nothing: {} queries", RUNS.swap(0, Ordering::Relaxed));
    type Edit = fn(&str) -> Option<String>;
    let edits: [(&str, Edit); 3] = [
        ("prose", |t| behind(t, "description: \"", "More prose. ")),
        ("guard", |t| behind(t, "when: \"", "true && ")),
        ("new state", |t| {
            behind(t, "\nstates:\n", "  bench_room: { terminal: true }\n")
        }),
    ];
    for (name, edit) in edits {
        let files = pipeline::story(&db, db.file(&root)).files.clone();
        let found = files.iter().find_map(|f| {
            let text = f.contents(&db).text()?;
            Some((f.path(&db).clone(), edit(text)?))
        });
        let Some((path, text)) = found else { continue };
        overlay.set(&path, Some(Arc::from(text)));
        db.refresh(&path);
        RUNS.store(0, Ordering::Relaxed);
        let _ = pipeline::findings(&db, db.file(&root));
        println!("  after {name}: {} queries", RUNS.swap(0, Ordering::Relaxed));
    }
}
