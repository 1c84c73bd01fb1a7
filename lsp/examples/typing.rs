//! What a client waits for while somebody types, in processor time of the whole server: `cargo run --release -p kitsoki-lsp
//! --example typing -- MANIFEST FOLDER [EDITS [FILE]]`. A letter is put in, findings are pulled, names are asked for; then the letter
//! is taken out with a completion right behind it. FILE is another file of FOLDER that is edited instead of the manifest.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a tool for the people who build kitsoki"
)]

mod measure;
#[path = "../tests/support/server.rs"]
mod server;

use std::collections::BTreeMap;
use std::sync::Arc;

use kitsoki_compiler::db::RealSystem;
use kitsoki_lsp::server::uri;
use serde_json::{Value as Json, json};

use server::Server;

/// Processor time of the process without this thread, in milliseconds: what the server used.
fn used() -> f64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    now.tv_sec as f64 * 1e3 + now.tv_nsec as f64 / 1e6 - measure::cpu()
}

fn main() {
    let manifest = measure::path(1).unwrap();
    let folder = measure::path(2).unwrap();
    let edits: usize = std::env::args().nth(3).map_or(100, |n| n.parse().unwrap());
    let path = measure::path(4).unwrap_or_else(|| manifest.clone());
    let capabilities = json!({
        "general": { "positionEncodings": ["utf-8"] },
        "textDocument": {
            "diagnostic": { "relatedDocumentSupport": true },
            "documentSymbol": { "hierarchicalDocumentSymbolSupport": true },
            "completion": { "completionItem": { "snippetSupport": true } },
        },
    });
    let text = std::fs::read_to_string(&path).unwrap();
    let mut server = Server::start(&folder, Arc::new(RealSystem), capabilities);
    server.open(&path, &text);
    let _ = server.diagnostics(&path);
    let id = json!({ "uri": uri::of_path(&path) });
    let mut times: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    let mut version = 1;
    let lines: Vec<&str> = text.split('\n').collect();
    let places = measure::places(&text);
    let names: Vec<(usize, usize)> = places
        .iter()
        .filter(|p| p.is_name())
        .map(|p| p.position(&lines))
        .collect();
    let words: Vec<_> = places.iter().filter(|p| p.is_prose() || p.is_guard()).collect();
    let step = (words.len() / edits).max(1);
    for (n, place) in words.iter().step_by(step).enumerate() {
        let kind = if place.is_guard() { "guard" } else { "words" };
        let (line, character) = place.position(&lines);
        let (name_line, name_at) = names[n * 7 % names.len()];
        let at = |line: usize, character: usize| json!({ "line": line, "character": character });
        let there = json!({ "textDocument": id, "position": at(name_line, name_at) });
        let mut change = |server: &mut Server, end: usize, with: &str| {
            version += 1;
            let document = json!({ "uri": id["uri"], "version": version });
            let change = json!({ "range": { "start": at(line, character), "end": at(line, end) }, "text": with });
            let params = json!({ "textDocument": document, "contentChanges": [change] });
            server.notify("textDocument/didChange", params);
        };
        let mut take = |name: &str, start: f64| times.entry(name.to_owned()).or_default().push(used() - start);
        let ask = |server: &mut Server, method: &str, params: Json| {
            let answer = server.request(&format!("textDocument/{method}"), params);
            assert!(answer.get("error").is_none(), "{method}: {answer}");
        };
        let start = used();
        change(&mut server, character, "x");
        let _ = server.diagnostics(&path);
        take(&format!("1 letter in, diagnostics ({kind})"), start);
        for method in ["completion", "hover", "definition", "documentSymbol"] {
            let start = used();
            let params = if method == "documentSymbol" {
                json!({ "textDocument": id })
            } else {
                there.clone()
            };
            ask(&mut server, method, params);
            take(&format!("2 {method} ({kind})"), start);
        }
        let start = used();
        change(&mut server, character + 1, "");
        ask(&mut server, "completion", there.clone());
        take(&format!("3 letter out, completion ({kind})"), start);
        let start = used();
        let _ = server.diagnostics(&path);
        take(&format!("4 diagnostics behind it ({kind})"), start);
    }
    server.stop();
    println!("ms of processor time               n   median      p95      max");
    for (name, mut times) in times {
        times.sort_by(f64::total_cmp);
        let n = times.len();
        let (median, p95, max) = (times[n / 2], times[(n * 95).div_ceil(100) - 1], times[n - 1]);
        println!("{name:32} {n:4} {median:8.2} {p95:8.2} {max:8.2}");
    }
}
