//! Processor time of one edit and of the requests behind it, in a large story: `cargo run --release -p kitsoki-lsp --example
//! latency -- MANIFEST`. Wall time says nothing on a busy machine.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a tool for the people who build kitsoki"
)]

mod measure;

use std::sync::Arc;

use kitsoki_compiler::pipeline;
use kitsoki_lsp::features::{At, completion, diagnostics, hover, semantic, stories, symbols};
use kitsoki_syntax::TextSize;

use measure::cpu;

fn main() {
    let path = measure::path(1).unwrap();
    let (overlay, mut snapshot) = measure::session(&path);
    let file = snapshot.file(&path);
    let original = snapshot.text(file).to_string();
    let _ = diagnostics::of_story(&snapshot, file);
    // The first words of prose behind the middle of the text.
    let middle = original.len() / 2;
    let line = middle + original[middle..].find("prose: \"").unwrap_or(0) + 9;
    let guard = middle + original[middle..].find("world.").unwrap_or(0) + 6;
    let names = [
        "refresh",
        "findings",
        "of_story",
        "roots",
        "completion",
        "hover",
        "symbols",
        "tokens",
    ];
    let mut all: Vec<Vec<f64>> = vec![Vec::new(); names.len()];
    for n in 0..40 {
        let mut text = original.clone();
        text.insert(line, if n % 2 == 0 { 'x' } else { 'y' });
        overlay.set(&path, Some(Arc::from(text)));
        let mut at = cpu();
        let mut take = |k: usize| {
            let now = cpu();
            all[k].push(now - at);
            at = now;
        };
        snapshot.db.refresh(&path);
        take(0);
        let _ = pipeline::findings(&snapshot.db, file);
        take(1);
        let _ = diagnostics::of_story(&snapshot, file);
        take(2);
        let _ = stories::roots(&snapshot, file);
        take(3);
        let place = At {
            file,
            offset: TextSize::new(u32::try_from(guard + 1).unwrap()),
        };
        let _ = completion::completion(&snapshot, place);
        take(4);
        let _ = hover::hover(&snapshot, place);
        take(5);
        let _ = symbols::of_file(&snapshot, file);
        take(6);
        let _ = semantic::tokens(&snapshot, file, None);
        take(7);
    }
    for (name, mut times) in names.iter().zip(all) {
        times.sort_by(f64::total_cmp);
        println!(
            "{name:12} median {:7.2} ms   max {:7.2} ms",
            times[times.len() / 2],
            times[times.len() - 1]
        );
    }
}
