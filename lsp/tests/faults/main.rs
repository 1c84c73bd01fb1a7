//! A panic costs one answer, or what one story says: the server lives, and everything else goes on.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by a panic, and these cause some"
)]

#[path = "../support/server.rs"]
mod server;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use camino::{Utf8Path, Utf8PathBuf};
use kitsoki_compiler::db::{DirEntry, MemorySystem, PathKind, ReadError, System};
use kitsoki_lsp::server::uri;
use serde_json::{Value as Json, json};

use server::Server;

/// Files of which one that is called `boom` panics when it is looked at, as long as it is armed.
#[derive(Debug)]
struct Faulty {
    files: MemorySystem,
    armed: AtomicBool,
}

impl Faulty {
    fn new(files: &[(&str, &str)]) -> Arc<Self> {
        Arc::new(Self {
            files: MemorySystem::new(files.iter().copied()),
            armed: AtomicBool::new(true),
        })
    }

    fn look(&self, path: &Utf8Path) {
        let boom = path.file_stem() == Some("boom") && self.armed.load(Ordering::SeqCst);
        assert!(!boom, "a fault that the test asked for");
    }
}

impl System for Faulty {
    fn read(&self, path: &Utf8Path) -> Result<Vec<u8>, ReadError> {
        self.look(path);
        self.files.read(path)
    }
    fn kind(&self, path: &Utf8Path) -> Option<PathKind> {
        self.files.kind(path)
    }
    fn list(&self, dir: &Utf8Path) -> Vec<DirEntry> {
        self.look(dir);
        self.files.list(dir)
    }
    fn canonical(&self, path: &Utf8Path) -> Utf8PathBuf {
        self.files.canonical(path)
    }
    fn env(&self, name: &str) -> Option<String> {
        self.files.env(name)
    }
}

const GOOD: &str = "app: { id: a, version: 1.0.0 }\nroot: pier\nintents: { go: {} }\nstates:\n  pier: { on: { go: [{ target: dekc }] } }\n  deck: { terminal: true }\n";

fn place(path: &Utf8Path, text: &str, words: &str) -> Json {
    let at = text.find(words).unwrap() + words.len();
    let line = text[..at].matches('\n').count();
    let column = text[..at].rsplit('\n').next().unwrap().len();
    json!({ "textDocument": { "uri": uri::of_path(path) }, "position": { "line": line, "character": column } })
}

#[test]
fn a_panic_of_a_request_is_its_answer_and_the_next_one_has_its_own() {
    let path = Utf8Path::new("/s/app.yaml");
    let text = GOOD.replace("version: 1.0.0 }", "version: 1.0.0, context_path: boom/ }");
    let system = Faulty::new(&[("/s/app.yaml", &text), ("/s/boom/tale.md", "")]);
    for capabilities in [json!({ "textDocument": { "diagnostic": {} } }), json!({})] {
        let pull = capabilities.get("textDocument").is_some();
        system.armed.store(true, Ordering::SeqCst);
        let mut server = Server::start(Utf8Path::new("/s"), system.clone(), capabilities);
        server.open(path, &text);
        let completion = place(path, &text, "context_path: boom/");
        for _ in 0..3 {
            let answer = server.request("textDocument/completion", completion.clone());
            assert_eq!(answer["error"]["code"], -32603, "{answer}");
            let hover = server.request("textDocument/hover", place(path, &text, "target: dek"));
            assert!(hover.get("error").is_none(), "{hover}");
        }
        let mended = text.replace("dekc", "deck");
        server.change(path, 2, &mended);
        if pull {
            assert_eq!(server.diagnostics(path), json!([]));
        } else {
            let codes = |note: &Json| note["diagnostics"].as_array().unwrap().len();
            let mut last = server.note("textDocument/publishDiagnostics");
            while last["version"] != 2 {
                last = server.note("textDocument/publishDiagnostics");
            }
            assert_eq!(codes(&last), 0, "{last}");
        }
        // What it was about is fine again: so is the answer.
        system.armed.store(false, Ordering::SeqCst);
        let answer = server.request("textDocument/completion", completion);
        assert_eq!(answer["result"]["items"][0]["label"], "tale.md", "{answer}");
        server.stop();
    }
}

#[test]
fn a_panic_in_the_check_of_one_story_leaves_the_others_theirs() {
    let (good, bad) = (Utf8Path::new("/a/app.yaml"), Utf8Path::new("/b/app.yaml"));
    let story = GOOD.replace(
        "states:",
        "agents: { x: { system_prompt_path: boom.md, tools: [] } }\nstates:",
    );
    let system = Faulty::new(&[("/a/app.yaml", GOOD), ("/b/app.yaml", &story), ("/b/boom.md", "x")]);
    let mut server = Server::start(Utf8Path::new("/"), system.clone(), json!({}));
    server.open(bad, &story);
    server.open(good, GOOD);
    let said = |server: &mut Server, path: &Utf8Path, version: i32| loop {
        let note = server.note("textDocument/publishDiagnostics");
        if note["uri"] == json!(uri::of_path(path)) && note["version"] == version {
            return note["diagnostics"].as_array().unwrap().clone();
        }
    };
    assert_eq!(said(&mut server, good, 1)[0]["code"], "target-unknown");
    server.change(good, 2, &GOOD.replace("dekc", "deck"));
    assert!(said(&mut server, good, 2).is_empty());
    // A file that the server reads in its own thread fails, too: the message is lost, and nothing else.
    let changes = json!({ "changes": [{ "uri": "file:///b/boom.md", "type": 2 }] });
    server.notify("workspace/didChangeWatchedFiles", changes);
    server.change(good, 3, GOOD);
    assert_eq!(said(&mut server, good, 3)[0]["code"], "target-unknown");
    system.armed.store(false, Ordering::SeqCst);
    server.change(bad, 2, &story.replace("dekc", "decc"));
    let after = said(&mut server, bad, 2);
    assert!(
        after.iter().any(|d| d["message"].as_str().unwrap().contains("decc")),
        "{after:?}"
    );
    server.stop();
}
