#![allow(warnings, clippy::all)]
mod measure;
use kitsoki_compiler::pipeline;
use kitsoki_lsp::features::{At, completion, diagnostics, stories, symbols};
use measure::cpu;
use std::sync::Arc;
fn stat(name: &str, v: &mut Vec<f64>) {
    v.sort_by(f64::total_cmp);
    let n = v.len();
    if n > 0 {
        println!(
            "{name:30} n {n} median {:.3} p95 {:.3} max {:.3}",
            v[n / 2],
            v[(n * 95).div_ceil(100) - 1],
            v[n - 1]
        );
    }
}
fn main() {
    let manifest = measure::path(1).unwrap();
    let places: Vec<usize> = std::fs::read_to_string(std::env::args().nth(2).unwrap())
        .unwrap()
        .lines()
        .map(|l| l.parse().unwrap())
        .collect();
    let n: usize = std::env::args().nth(3).unwrap().parse().unwrap();
    let path = manifest.clone();
    let (overlay, mut snapshot) = measure::session(&path);
    let file = snapshot.file(&manifest);
    let original = snapshot.text(file).to_string();
    let _ = diagnostics::of_story(&snapshot, file);
    println!(
        "pieces {} files {}",
        file.chunks(&snapshot.db).len(),
        snapshot.db.known_files().len()
    );
    let mut t: std::collections::BTreeMap<&str, Vec<f64>> = Default::default();
    let mut words = 0;
    let mut all = 0;
    let step = (places.len() / n).max(1);
    for at in places.iter().step_by(step) {
        let mut text = original.clone();
        text.insert(*at, 'x');
        for (k, txt) in [("in", text.as_str()), ("out", original.as_str())] {
            let mut now = cpu();
            let mut take = |name: &'static str| {
                let n = cpu();
                t.entry(name).or_default().push(n - now);
                now = cpu();
            };
            overlay.set(&path, Some(Arc::from(txt)));
            snapshot.db.refresh_for_findings(&path);
            take("1 refresh");
            all += 1;
            let w = !snapshot.db.is_settled();
            if w {
                words += 1
            } else if k == "in" {
                let l = original[..*at].lines().count();
                println!("not words: line {l} {}", original.lines().nth(l - 1).unwrap_or(""));
            }
            let _ = pipeline::story(&snapshot.db, file);
            take("2 story");
            let _ = pipeline::check(&snapshot.db, file);
            take("3 check");
            let _ = pipeline::findings(&snapshot.db, file);
            take("4 findings again");
            let _ = diagnostics::of_story(&snapshot, file);
            take("5 of_story again");
            let _ = stories::roots(&snapshot, file);
            take("6 roots");
            snapshot.db.settle();
            take("7 settle");
            let _ = pipeline::story(&snapshot.db, file);
            take("8 story after settle");
            let _ = pipeline::check(&snapshot.db, file);
            take("9 check after settle");
            let _ = symbols::of_file(&snapshot, file);
            take("a symbols");
        }
    }
    println!("{words} of {all} words");
    for (k, v) in &mut t {
        stat(k, v);
    }
}
