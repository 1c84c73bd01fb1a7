//! Dev: where the time of a cold check goes.
#![allow(missing_docs, clippy::all, clippy::print_stdout, clippy::expect_used, clippy::unwrap_used, clippy::indexing_slicing)]
use std::sync::Arc;
use std::time::Instant;
use camino::Utf8PathBuf;
use kitsoki_compiler::db::{Database, Db, RealSystem};
use kitsoki_compiler::{pipeline, rules};
use kitsoki_compiler::rules::*;

fn main() {
    std::thread::Builder::new().stack_size(256 << 20).spawn(run).unwrap().join().unwrap();
}
fn run() {
    let path = Utf8PathBuf::from(std::env::args().nth(1).expect("story")).canonicalize_utf8().unwrap();
    let n: usize = std::env::args().nth(2).and_then(|n| n.parse().ok()).unwrap_or(5);
    for i in 0..n {
        let mut t = Instant::now();
        let mut lines: Vec<(String, f64)> = Vec::new();
        let mut lap = |name: &str, t: &mut Instant| {
            lines.push((name.to_owned(), t.elapsed().as_secs_f64() * 1e3));
            *t = Instant::now();
        };
        let db = Database::new(Arc::new(RealSystem));
        let root = db.file(&path);
        let reach = pipeline::reachable(&db, root).files.clone();
        lap("read+parse+decode manifests", &mut t);
        for f in reach.iter() { pipeline::package(&db, *f); }
        pipeline::package(&db, root);
        lap("packages", &mut t);
        for f in reach.iter().filter(|f| **f != root) { pipeline::loaded(&db, *f); }
        lap("children loaded", &mut t);
        let loaded = pipeline::loaded(&db, root).clone();
        lap("root loaded", &mut t);
        let story = pipeline::story(&db, root).clone();
        lap("story", &mut t);
        let cx = StoryCx::new(&db, &story);
        lap("cx", &mut t);
        let mut f = story.findings.clone();
        let calls = calls::of_story(&cx);
        lap("calls", &mut t);
        agent_verbs::check(&cx, &calls, &mut f);
        lap("agent_verbs", &mut t);
        starlark::check(&cx, &calls, &mut f);
        lap("starlark", &mut t);
        expressions::check(&cx, &calls, &mut f);
        lap("expressions", &mut t);
        manifest::check(&cx, &calls, &mut f);
        lap("manifest", &mut t);
        let mut meant = rooms::check(&cx, &mut f);
        lap("rooms", &mut t);
        effects::check(&cx, &mut meant, &mut f);
        lap("effects", &mut t);
        //rooms::unreachable_state::check(&cx, &meant, &mut f);
        lap("unreachable", &mut t);
        views::check(&cx, &mut f);
        lap("views", &mut t);
        routing::check(&cx, &mut f);
        lap("routing", &mut t);
        //imports::check(&cx, &mut f);
        lap("imports", &mut t);
        let n_rooms = cx.rooms.len();
        let effects_n: usize = cx.rooms().map(|r| walk::effects(r.room()).len()).sum();
        let texts: usize = cx.rooms().map(|r| walk::texts(r.room()).len()).sum();
        t = Instant::now();
        drop(f);
        lap("drop", &mut t);
        if i + 1 == n {
            let total: f64 = lines.iter().map(|l| l.1).sum();
            for (name, ms) in &lines { println!("{ms:8.2} ms  {name}"); }
            println!("{total:8.2} ms  total; {n_rooms} rooms {effects_n} effects {texts} texts; Room {} Effect {} Arc {} Any {} Text {} Element {}",
              size_of::<kitsoki_compiler::surface::Room>(), size_of::<kitsoki_compiler::surface::Effect>(), size_of::<kitsoki_compiler::surface::Arc>(),
              size_of::<kitsoki_compiler::surface::Any>(), size_of::<kitsoki_compiler::surface::Text>(), size_of::<kitsoki_compiler::surface::Element>());
        }
    }
    let _ = rules::all();
}
