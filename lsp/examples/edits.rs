//! Processor time of edits all over a large story, by what they touch: `cargo run --release -p kitsoki-lsp --example edits --
//! MANIFEST [EDITS [FILE]]`; FILE is one that the manifest includes. Where `latency` measures one place, this one finds the slow ones.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a tool for the people who build kitsoki"
)]

mod measure;

use std::sync::Arc;

use kitsoki_compiler::pipeline;
use kitsoki_lsp::features::diagnostics;

use measure::cpu;

fn main() {
    let manifest = measure::path(1).unwrap();
    let edits: usize = std::env::args().nth(2).map_or(200, |n| n.parse().unwrap());
    let path = measure::path(3).unwrap_or_else(|| manifest.clone());
    let (overlay, mut snapshot) = measure::session(&path);
    let file = snapshot.file(&manifest);
    let original = snapshot.text(snapshot.file(&path)).to_string();
    let before = diagnostics::of_story(&snapshot, file);
    let places = measure::places(&original);
    let step = (places.len() / edits).max(1);
    let mut times = Vec::new();
    let mut words = 0;
    for measure::Inside { section, key, at } in places.iter().step_by(step) {
        let mut text = original.clone();
        text.insert(*at, 'x');
        overlay.set(&path, Some(Arc::from(text)));
        let start = cpu();
        snapshot.db.refresh_for_findings(&path);
        let refreshed = cpu();
        if !snapshot.db.is_settled() {
            words += 1;
        }
        let _ = pipeline::story(&snapshot.db, file);
        let loaded = cpu();
        let _ = pipeline::findings(&snapshot.db, file);
        let found = cpu();
        let _ = diagnostics::of_story(&snapshot, file);
        let end = cpu();
        times.push((
            end - start,
            refreshed - start,
            loaded - refreshed,
            found - loaded,
            end - found,
            format!("{section} … {key}"),
            *at,
        ));
        overlay.set(&path, Some(Arc::from(original.as_str())));
        snapshot.db.refresh(&path);
        assert_eq!(diagnostics::of_story(&snapshot, file), before, "undone at {at}");
    }
    times.sort_by(|a, b| a.0.total_cmp(&b.0));
    println!("{words} of {} edits changed words alone", times.len());
    println!("     all  refresh     load    check     show   (ms of processor time)");
    for (k, t) in times.iter().enumerate() {
        if k % (times.len() / 25).max(1) == 0 || k + 8 > times.len() {
            let line = original[..t.6].lines().count();
            println!(
                "{:8.2} {:8.2} {:8.2} {:8.2} {:8.2}   line {line}: {}",
                t.0, t.1, t.2, t.3, t.4, t.5
            );
        }
    }
}
