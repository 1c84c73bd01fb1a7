//! A long session: random edits over many open files with requests between them, compared with a server that has just been
//! started on the same texts.

#[path = "../support/server.rs"]
mod server;

use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use kitsoki_compiler::db::RealSystem;
use kitsoki_lsp::server::uri;
use serde_json::{Value as Json, json};

use server::Server;

fn serve(root: &Utf8Path) -> Server {
    Server::start(
        root,
        Arc::new(RealSystem),
        json!({ "textDocument": { "diagnostic": {} } }),
    )
}

/// Numbers that look random and are the same every time.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % u64::try_from(n.max(1)).unwrap()).unwrap()
    }
}

struct Open {
    path: Utf8PathBuf,
    original: String,
    text: String,
    version: i32,
}

/// The hand-written files of the stories, at most `most`.
fn files(root: &Utf8Path, most: usize) -> Vec<Utf8PathBuf> {
    let mut found = Vec::new();
    let mut stack = vec![root.to_owned()];
    while let Some(dir) = stack.pop() {
        for entry in dir.read_dir_utf8().unwrap().flatten() {
            let path = entry.path().to_owned();
            if path.is_dir() {
                stack.push(path);
            } else if path.extension() == Some("yaml") && !path.as_str().contains("/cassettes/") {
                found.push(path);
            }
        }
    }
    found.sort();
    // Stories before fixtures.
    found.sort_by_key(|p| p.as_str().contains("/flows/"));
    found.truncate(most);
    found
}

/// A random change of a text: its range in lines and characters, and the new words.
fn change(random: &mut Random, open: &Open) -> (usize, usize, String) {
    let text = &open.text;
    let border = |mut at: usize| {
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let at = border(random.below(text.len() + 1));
    let line_start = text[..at].rfind('\n').map_or(0, |n| n + 1);
    let line_end = text[at..].find('\n').map_or(text.len(), |n| at + n + 1);
    match random.below(12) {
        0 => (line_start, line_end, String::new()),
        1 => (line_start, line_start, text[line_start..line_end].to_owned()),
        2 => (0, text.len(), open.original.clone()),
        3 | 4 => (border(at.saturating_sub(random.below(6))), at, String::new()),
        n => {
            let words = [
                " ",
                "\n",
                "x",
                ":",
                "{",
                "}",
                "'",
                "\"",
                "- ",
                "{{ world.",
                "é🍵",
                "  target: ",
                "#",
            ];
            (
                at,
                at,
                words[(n * 7 + random.below(words.len())) % words.len()].to_owned(),
            )
        }
    }
}

/// The position of an offset, as the protocol counts.
fn position(text: &str, at: usize) -> Json {
    let before = &text[..at];
    let line = before.matches('\n').count();
    let start = before.rfind('\n').map_or(0, |n| n + 1);
    json!({ "line": line, "character": before[start..].encode_utf16().count() })
}

/// Makes `edits` edits over `open` files and compares every `every` of them. `report` is told about each comparison.
pub fn soak(root: &Utf8Path, open: usize, edits: usize, every: usize, mut report: impl FnMut(usize)) {
    let mut server = serve(root);
    let mut random = Random(2026);
    let mut all: Vec<Open> = files(root, open)
        .into_iter()
        .map(|path| {
            let text = std::fs::read_to_string(&path).unwrap();
            Open {
                path,
                original: text.clone(),
                text,
                version: 1,
            }
        })
        .collect();
    for file in &all {
        server.open(&file.path, &file.text);
    }
    for n in 1..=edits {
        let at = random.below(all.len());
        let file = &mut all[at];
        let (start, end, words) = change(&mut random, file);
        let range = json!({ "start": position(&file.text, start), "end": position(&file.text, end) });
        file.text.replace_range(start..end, &words);
        file.version += 1;
        let document = json!({ "uri": uri::of_path(&file.path), "version": file.version });
        let changes = json!([{ "range": range, "text": words }]);
        server.notify(
            "textDocument/didChange",
            json!({ "textDocument": document, "contentChanges": changes }),
        );
        let id = json!({ "uri": uri::of_path(&file.path) });
        let place = json!({ "textDocument": id, "position": position(&file.text, start) });
        let whole = json!({ "textDocument": id });
        let ranged = json!({ "textDocument": id, "range": { "start": place["position"], "end": place["position"] } });
        let asked = match random.below(14) {
            0 => Some(("textDocument/completion", place)),
            1 => Some(("textDocument/hover", place)),
            2 => Some(("textDocument/definition", place)),
            3 => Some(("textDocument/documentSymbol", whole)),
            4 => Some(("textDocument/semanticTokens/full", whole)),
            5 => Some(("textDocument/foldingRange", whole)),
            6 => Some(("textDocument/signatureHelp", place)),
            7 => Some(("textDocument/references", place)),
            8 => Some(("textDocument/codeAction", ranged)),
            9 => Some(("textDocument/rangeFormatting", ranged)),
            10 => Some(("textDocument/codeLens", whole)),
            _ => None,
        };
        if let Some((method, params)) = asked {
            let answer = server.request(method, params);
            assert!(answer.get("error").is_none(), "{method} after {n} edits: {answer}");
        }
        if n % every == 0 {
            let mut fresh = serve(root);
            for file in &all {
                fresh.open(&file.path, &file.text);
            }
            for file in &all {
                let (now, then) = (server.diagnostics(&file.path), fresh.diagnostics(&file.path));
                assert_eq!(now, then, "{} after {n} edits", file.path);
            }
            fresh.stop();
            report(n);
        }
    }
    server.stop();
}
