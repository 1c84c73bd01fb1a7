//! What checking costs: from nothing, by size, and after one edit.
//!
//! ```text
//! cargo bench -p kitsoki-compiler --bench check                 # everything
//! cargo bench -p kitsoki-compiler --bench check -- recheck      # edits only
//! KITSOKI_BENCH_STORY=path/to/app.yaml cargo bench …            # another story than the made one
//! ```
//!
//! The stories of a given size are made here and live in memory; the shipped ones are read from `stories/`.

#![allow(missing_docs)]
#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a bench without its story has nothing to measure"
)]

use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use camino::{Utf8Path, Utf8PathBuf};
use divan::Bencher;
use divan::counter::BytesCount;
use kitsoki_compiler::db::{Database, Db, MemorySystem, OverlaySystem, RealSystem, System};
use kitsoki_compiler::pipeline;

/// As in the command line.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    // Nesting limits want room, as in the command line.
    let run = std::thread::Builder::new().stack_size(256 << 20).spawn(divan::main);
    run.expect("a thread").join().expect("benches end");
}

/// A story in one manifest: every room with a view, four intents, guarded arms and effects. `imports` children have a tenth of
/// the rooms each.
fn made(rooms: usize, imports: usize) -> MemorySystem {
    let mut files = vec![("/s/app.yaml".to_owned(), manifest("made", rooms, imports))];
    files.extend((0..imports).map(|n| {
        let text = manifest(&format!("child_{n}"), (rooms / 10).max(2), 0);
        (format!("/s/child_{n}/app.yaml"), text)
    }));
    MemorySystem::new(files)
}

fn manifest(id: &str, rooms: usize, imports: usize) -> String {
    let mut out = format!("app: {{ id: {id}, version: 0.1.0, title: Made }}\nroot: room_0\nworld:\n");
    let keys = (rooms / 4).max(2);
    for n in 0..keys {
        let _ = write!(
            out,
            "  n_{n}: {{ type: int, default: 0 }}\n  s_{n}: {{ type: string, default: \"\" }}\n"
        );
    }
    out.push_str("intents:\n");
    for n in 0..4 {
        let _ = writeln!(
            out,
            "  go_{n}:\n    title: \"Go {n}\"\n    description: \"Goes on, way {n}.\""
        );
    }
    if imports > 0 {
        out.push_str("imports:\n");
        for n in 0..imports {
            let _ = writeln!(out, "  c_{n}:\n    source: ./child_{n}\n    entry: room_0");
        }
    }
    out.push_str("states:\n");
    for n in 0..rooms {
        let (key, next, far) = (n % keys, (n + 1) % rooms, (n * 7 + 3) % rooms);
        let _ = write!(
            out,
            "  room_{n}:\n    description: \"Room {n} of the harbour\"\n    view: |\n      The lantern of room {n} burns over copper and \
             paper.\n      Count {{{{ world.n_{key} }}}}, note {{{{ world.s_{key}|default:\"none\" }}}}.\n    on:\n"
        );
        for way in 0..4 {
            let _ = write!(
                out,
                "      go_{way}:\n        - when: \"world.n_{key} > {way} && world.s_{key} != ''\"\n          target: room_{far}\n        \
                 - target: room_{next}\n          effects:\n            - set: {{ s_{key}: \"signal {{{{ world.n_{key} }}}}\" }}\n            \
                 - increment: {{ n_{key}: 1 }}\n"
            );
        }
    }
    out
}

/// The story of the edits: the one that is asked for, else a made one of 200 rooms and 5 imports.
fn subject() -> (Arc<dyn System>, Utf8PathBuf) {
    match std::env::var("KITSOKI_BENCH_STORY") {
        Ok(path) => {
            let path = Utf8PathBuf::from(path).canonicalize_utf8();
            (Arc::new(RealSystem), path.expect("KITSOKI_BENCH_STORY"))
        }
        Err(_) => (Arc::new(made(200, 5)), Utf8PathBuf::from("/s/app.yaml")),
    }
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

#[divan::bench]
fn parse(bencher: Bencher) {
    let (system, path) = subject();
    let bytes = system.read(&path).expect("the story");
    let text = String::from_utf8(bytes).expect("text");
    bencher
        .counter(BytesCount::of_str(&text))
        .bench_local(|| kitsoki_syntax::parse(divan::black_box(&text)));
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
fn cold_check(bencher: Bencher) {
    let (system, path) = subject();
    bencher.bench_local(|| {
        let db = Database::new(system.clone());
        pipeline::findings(&db, db.file(&path)).len()
    });
}

fn cold(bencher: Bencher, rooms: usize, imports: usize) {
    let system = Arc::new(made(rooms, imports));
    bencher.bench_local(|| {
        let db = Database::new(system.clone());
        pipeline::findings(&db, db.file(Utf8Path::new("/s/app.yaml"))).len()
    });
}

#[divan::bench(args = [10, 100, 1000], sample_count = 20)]
fn cold_check_by_rooms(bencher: Bencher, rooms: usize) {
    cold(bencher, rooms, 0);
}

/// Children of ten rooms each.
#[divan::bench(args = [1, 10, 100], sample_count = 20)]
fn cold_check_by_imports(bencher: Bencher, imports: usize) {
    cold(bencher, 100, imports);
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
        let (system, root) = subject();
        let overlay = Arc::new(OverlaySystem::new(system));
        let mut db = Database::for_editing(overlay.clone());
        db.expect_changes(&root);
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
        self.db.refresh_for_findings(&self.file);
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

type Change = fn(&str) -> Option<String>;

const PROSE: Change = |t| behind(t, "description: \"", "More prose. ");
const GUARD: Change = |t| behind(t, "when: \"", "true && ");
const TARGET: Change = |t| behind(t, "- target: ", "x");
const NEW_STATE: Change = |t| behind(t, "\nstates:\n", "  bench_room: { terminal: true }\n");

#[divan::bench]
fn recheck_of_nothing(bencher: Bencher) {
    let mut session = Editing::new(|t| Some(t.to_owned()));
    bencher.bench_local(move || session.step());
}

#[divan::bench]
fn recheck_of_prose(bencher: Bencher) {
    edited(bencher, PROSE);
}

#[divan::bench]
fn recheck_of_a_guard(bencher: Bencher) {
    edited(bencher, GUARD);
}

#[divan::bench]
fn recheck_of_a_target(bencher: Bencher) {
    edited(bencher, TARGET);
}

#[divan::bench]
fn recheck_of_a_new_state(bencher: Bencher) {
    edited(bencher, NEW_STATE);
}

/// Prints how many queries run after each edit, once.
#[divan::bench(sample_count = 1, sample_size = 1)]
fn queries_run_again() {
    static RUNS: AtomicUsize = AtomicUsize::new(0);
    let (system, root) = subject();
    let overlay = Arc::new(OverlaySystem::new(system));
    let count = |event: salsa::Event| {
        if matches!(event.kind, salsa::EventKind::WillExecute { .. }) {
            RUNS.fetch_add(1, Ordering::Relaxed);
        }
    };
    let mut db = Database::observed(overlay.clone(), Box::new(count));
    let _ = pipeline::findings(&db, db.file(&root));
    println!("  from nothing: {} queries", RUNS.swap(0, Ordering::Relaxed));
    let edits = [
        ("prose", PROSE),
        ("guard", GUARD),
        ("target", TARGET),
        ("new state", NEW_STATE),
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
