//! Words that wait: an edit of prose moves the findings at once, and whoever asks for the words gets the new ones.

use std::path::PathBuf;

use serde_json::{Value as Json, json};

use crate::client::{Client, uri};

/// A story that is long enough to be cut, with a fault behind the words that change.
fn story(words: &str) -> String {
    let mut text = String::from("app: { id: ferry, version: 0.1.0 }\nroot: pier_0\nworld:\n");
    for n in 0..60 {
        text.push_str(&format!("  note_{n}:\n    type: string\n    default: ''\n"));
    }
    text.push_str(&format!(
        "intents:\n  board:\n    title: Board\n    description: |\n      {words}\nstates:\n"
    ));
    for n in 0..30 {
        text.push_str(&format!(
            "  pier_{n}:\n    view: Pier {n}\n    on:\n      board:\n        - target: pier_{}\n",
            (n + 1) % 30
        ));
    }
    text.push_str("  quay:\n    view: Quay\n    on:\n      board:\n        - target: nowhere\n");
    text
}

fn setup(capabilities: Json) -> (tempfile::TempDir, PathBuf, Client) {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    let app = root.join("app.yaml");
    std::fs::write(&app, story("Go on board.")).unwrap();
    let mut client = Client::start(&root, capabilities);
    client.open(&app, None);
    (dir, app, client)
}

/// The lines of `target-unknown` in a list of diagnostics.
fn lines(items: &Json) -> Vec<u64> {
    let found = items.as_array().unwrap().iter();
    let found = found.filter(|d| d["code"] == "target-unknown");
    found.map(|d| d["range"]["start"]["line"].as_u64().unwrap()).collect()
}

fn line_of_the_fault(text: &str) -> u64 {
    let at = text.find("nowhere").unwrap();
    text[..at].matches('\n').count() as u64
}

fn hover(app: &std::path::Path, text: &str) -> Json {
    let line = text.lines().position(|l| l == "      board:").unwrap();
    json!({ "textDocument": { "uri": uri(app) }, "position": { "line": line, "character": 8 } })
}

#[test]
fn findings_move_with_the_words_and_the_words_are_there_when_they_are_asked_for() {
    let (_dir, app, mut client) = setup(json!({ "textDocument": { "diagnostic": {} } }));
    let mut version = 1;
    for words in [
        "Go on board soon.",
        "Go on\n      board\n      now.",
        "Go on board.",
        "Stay away.",
    ] {
        version += 1;
        let text = story(words);
        client.change(&app, version, &text);
        let items = client.pull(&app)["items"].clone();
        assert_eq!(lines(&items), [line_of_the_fault(&text)], "{words}");
        // Every second edit comes while the words of the one before wait.
        if version % 2 == 0 {
            continue;
        }
        let last = words.split_whitespace().last().unwrap().trim_end_matches('.');
        let shown = client.request("textDocument/hover", hover(&app, &text));
        let shown = shown["contents"]["value"].as_str().unwrap();
        assert!(shown.contains(last), "{words}: {shown}");
        assert_eq!(
            lines(&client.pull(&app)["items"]),
            [line_of_the_fault(&text)],
            "{words}, settled"
        );
    }
}

#[test]
fn a_question_in_the_middle_of_a_check_leaves_the_diagnostics_their_answer() {
    let (_dir, app, mut client) = setup(json!({}));
    assert_eq!(
        lines(&client.note("textDocument/publishDiagnostics")["diagnostics"]),
        [line_of_the_fault(&story("Go on board."))]
    );
    for version in 2..12 {
        let text = story(&format!("Go on{}board.", "\n      ".repeat(version as usize)));
        client.change(&app, version, &text);
        // The words are wanted while the check of the edit may be under way.
        let shown = client.begin("textDocument/hover", hover(&app, &text));
        let _ = client.finish(shown);
        let told = loop {
            let told = client.note("textDocument/publishDiagnostics");
            if told["version"] == version {
                break told;
            }
        };
        assert_eq!(lines(&told["diagnostics"]), [line_of_the_fault(&text)], "{version}");
    }
}
