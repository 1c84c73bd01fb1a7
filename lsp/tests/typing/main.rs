//! What the server shows while words wait for the compiler: the text of the client is the truth at once.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by a panic"
)]

#[path = "../support/server.rs"]
mod server;

use std::sync::Arc;

use camino::Utf8Path;
use kitsoki_compiler::db::MemorySystem;
use kitsoki_lsp::server::uri;
use serde_json::{Value as Json, json};

use server::Server;

const PATH: &str = "/inn/app.yaml";

/// A story that is large enough to be read in pieces.
fn story() -> String {
    let mut text = String::from(
        "app: { id: inn, version: 0.1.0 }\nroot: hall\nintents:\n  go_up:\n    title: Go up\n    description: Climb the stairs.\n  rest: { title: Rest }\nstates:\n  hall:\n    description: A hall.\n    on:\n      go_up: [{ target: room_1 }]\n",
    );
    for n in 1..60 {
        let next = if n == 59 {
            "hall".to_owned()
        } else {
            format!("room_{}", n + 1)
        };
        text.push_str(&format!(
            "  room_{n}:\n    description: Room {n} of the inn.\n    on:\n      rest: [{{ target: {next} }}]\n"
        ));
    }
    text
}

struct Session {
    server: Server,
    text: String,
    version: i32,
}

impl Session {
    fn start() -> Self {
        let text = story();
        let files = MemorySystem::new([(PATH, text.as_str())]);
        let capabilities = json!({
            "textDocument": { "diagnostic": {}, "documentSymbol": { "hierarchicalDocumentSymbolSupport": true } },
        });
        let mut server = Server::start(Utf8Path::new("/inn"), Arc::new(files), capabilities);
        server.open(Utf8Path::new(PATH), &text);
        let mut this = Self {
            server,
            text,
            version: 1,
        };
        assert_eq!(this.server.diagnostics(Utf8Path::new(PATH)), json!([]));
        this
    }

    /// Line and character of the end of the first `mark`.
    fn behind(&self, mark: &str) -> Json {
        let at = self.text.find(mark).unwrap() + mark.len();
        let line = self.text[..at].matches('\n').count();
        let start = self.text[..at].rfind('\n').map_or(0, |n| n + 1);
        json!({ "line": line, "character": at - start })
    }

    /// Types words behind the first `mark`.
    fn type_behind(&mut self, mark: &str, words: &str) {
        let place = self.behind(mark);
        self.version += 1;
        let document = json!({ "uri": uri::of_path(Utf8Path::new(PATH)), "version": self.version });
        let change = json!({ "range": { "start": place, "end": place }, "text": words });
        let params = json!({ "textDocument": document, "contentChanges": [change] });
        self.server.notify("textDocument/didChange", params);
        let at = self.text.find(mark).unwrap() + mark.len();
        self.text.insert_str(at, words);
    }

    fn ask(&mut self, method: &str, place: Option<Json>) -> Json {
        let mut params = json!({ "textDocument": { "uri": uri::of_path(Utf8Path::new(PATH)) } });
        if let Some(place) = place {
            params["position"] = place;
        }
        self.server.request(&format!("textDocument/{method}"), params)["result"].clone()
    }
}

#[test]
fn a_hover_tells_the_words_that_were_typed_a_moment_ago() {
    let mut session = Session::start();
    session.type_behind("Climb the", " winding");
    let place = session.behind("      go_");
    let hover = session.ask("hover", Some(place)).to_string();
    assert!(hover.contains("Climb the winding stairs"), "{hover}");
    session.server.stop();
}

#[test]
fn names_are_found_where_they_moved_to_with_the_words_before_them() {
    let mut session = Session::start();
    session.type_behind("A hall", ", lofty\n      and dark");
    // A name of the piece that changed, and one of a piece behind it.
    for (mark, declared) in [("      go_", "  go_"), ("on:\n      re", "  re")] {
        let place = session.behind(mark);
        let found = session.ask("definition", Some(place));
        let wanted = session.behind(declared);
        let start = found
            .pointer("/0/range/start")
            .or(found.pointer("/range/start"))
            .cloned()
            .unwrap();
        assert_eq!(
            start,
            json!({ "line": wanted["line"], "character": 2 }),
            "{mark}: {found}"
        );
    }
    let place = session.behind("target: room_");
    let items = session.ask("completion", Some(place.clone()));
    let edit = &items["items"]
        .as_array()
        .unwrap()
        .iter()
        .find(|i| i["label"] == "room_7")
        .unwrap()["textEdit"];
    assert_eq!(
        edit["range"]["start"],
        json!({ "line": place["line"], "character": 24 }),
        "{edit}"
    );
    session.server.stop();
}

#[test]
fn an_outline_stands_where_the_text_stands() {
    let mut session = Session::start();
    session.type_behind("A hall", ", lofty\n      and dark");
    let outline = session.ask("documentSymbol", None);
    let rooms = outline
        .as_array()
        .unwrap()
        .iter()
        .find(|s| s["name"] == "states")
        .unwrap();
    let rooms = rooms["children"].as_array().unwrap();
    for (nth, mark) in [(0, "  hall:"), (1, "  room_1:"), (59, "  room_59:")] {
        let start = &rooms[nth]["selectionRange"]["start"];
        assert_eq!(start["line"], session.behind(mark)["line"], "{mark}");
    }
    session.server.stop();
}

#[test]
fn words_that_wait_and_words_that_are_taken_over_give_the_same_findings() {
    let mut session = Session::start();
    session.type_behind("Room 3 of", " all");
    session.type_behind("target: room_4", "x");
    session.type_behind("A hall", ", lofty\n      and dark");
    let waiting = session.server.diagnostics(Utf8Path::new(PATH));
    let mut fresh = Session::start();
    fresh.server.change(Utf8Path::new(PATH), 2, &session.text);
    let settled = fresh.server.diagnostics(Utf8Path::new(PATH));
    assert!(waiting.to_string().contains("room_4x"), "{waiting}");
    assert_eq!(waiting, settled);
    session.server.stop();
    fresh.server.stop();
}
