//! A long session: random edits over many open files with requests between them, compared with a server that has just been
//! started on the same texts.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use kitsoki_compiler::db::RealSystem;
use kitsoki_diagnostics::levels::Levels;
use kitsoki_lsp::server::{Setup, run, uri};
use serde_json::{Value as Json, json};

/// A server in a thread of this process.
pub struct Server {
    input: std::io::PipeWriter,
    output: BufReader<std::io::PipeReader>,
    next: i32,
    thread: std::thread::JoinHandle<i32>,
}

impl Server {
    /// Starts a server over the real files.
    pub fn start(root: &Utf8Path) -> Self {
        let (server_input, input) = std::io::pipe().unwrap();
        let (output, server_output) = std::io::pipe().unwrap();
        let setup = Setup {
            system: Arc::new(|_| Arc::new(RealSystem)),
            levels: Arc::new(|_| Levels::default()),
            version: "test".to_owned(),
        };
        let thread = std::thread::Builder::new()
            .stack_size(64 << 20)
            .spawn(move || run(setup, server_input, server_output))
            .unwrap();
        let mut this = Self {
            input,
            output: BufReader::new(output),
            next: 0,
            thread,
        };
        let capabilities = json!({ "textDocument": { "diagnostic": {} } });
        let folders = json!([{ "uri": uri::of_path(root), "name": "stories" }]);
        this.request(
            "initialize",
            json!({ "processId": null, "rootUri": null, "capabilities": capabilities, "workspaceFolders": folders }),
        );
        this.notify("initialized", json!({}));
        this
    }

    fn send(&mut self, message: &Json) {
        let body = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{body}", body.len()).unwrap();
    }

    /// Sends a notification.
    pub fn notify(&mut self, method: &str, params: Json) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// The whole answer to a request.
    pub fn request(&mut self, method: &str, params: Json) -> Json {
        self.next += 1;
        self.send(&json!({ "jsonrpc": "2.0", "id": self.next, "method": method, "params": params }));
        loop {
            let message = self.read();
            if message["id"] == self.next && message.get("method").is_none() {
                return message;
            }
        }
    }

    fn read(&mut self) -> Json {
        let mut length = 0usize;
        loop {
            let mut line = String::new();
            assert!(
                self.output.read_line(&mut line).unwrap() > 0,
                "the server closed its stream"
            );
            match line.trim_end().strip_prefix("Content-Length: ") {
                Some(value) => length = value.parse().unwrap(),
                None if line.trim_end().is_empty() => break,
                None => {}
            }
        }
        let mut body = vec![0; length];
        self.output.read_exact(&mut body).unwrap();
        serde_json::from_slice(&body).unwrap()
    }

    /// Shows a file.
    pub fn open(&mut self, path: &Utf8Path, text: &str) {
        let document = json!({ "uri": uri::of_path(path), "languageId": "yaml", "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// What is wrong with a file.
    pub fn diagnostics(&mut self, path: &Utf8Path) -> Json {
        let answer = self.request(
            "textDocument/diagnostic",
            json!({ "textDocument": { "uri": uri::of_path(path) } }),
        );
        answer["result"]["items"].clone()
    }

    /// Ends the server in order.
    pub fn stop(mut self) {
        self.request("shutdown", Json::Null);
        self.notify("exit", Json::Null);
        assert_eq!(self.thread.join().unwrap(), 0);
    }
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
    let mut server = Server::start(root);
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
        let asked = match random.below(10) {
            0 => Some(("textDocument/completion", place)),
            1 => Some(("textDocument/hover", place)),
            2 => Some(("textDocument/definition", place)),
            3 => Some(("textDocument/documentSymbol", whole)),
            4 => Some(("textDocument/semanticTokens/full", whole)),
            5 => Some(("textDocument/foldingRange", whole)),
            6 => Some(("textDocument/signatureHelp", place)),
            _ => None,
        };
        if let Some((method, params)) = asked {
            let answer = server.request(method, params);
            assert!(answer.get("error").is_none(), "{method} after {n} edits: {answer}");
        }
        if n % every == 0 {
            let mut fresh = Server::start(root);
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
