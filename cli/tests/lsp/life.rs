//! Starting, ending, broken frames, cancellation.

use serde_json::{Value as Json, json};

use crate::client::{Client, uri};

const STORY: &str = "app: { id: ferry, version: 0.1.0 }\nroot: pier\nintents: { board: {} }\nstates:\n  pier: { on: { board: [{ target: dekc }] } }\n  deck: { terminal: true }\n";

fn pull() -> Json {
    json!({ "textDocument": { "diagnostic": { "relatedDocumentSupport": true } } })
}

fn folder() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("app.yaml"), STORY).unwrap();
    dir
}

#[test]
fn the_exit_status_says_how_the_client_left() {
    let dir = folder();
    assert_eq!(Client::start(dir.path(), pull()).stop(), Some(0));
    assert_eq!(Client::start(dir.path(), pull()).hang_up(), Some(1));
    let mut client = Client::start(dir.path(), pull());
    client.notify("exit", Json::Null);
    assert_eq!(client.wait(), Some(1));
    let mut client = Client::start(dir.path(), pull());
    client.raw(b"Content-Length: many\r\n\r\n");
    assert_eq!(client.wait(), Some(2));
}

#[test]
fn a_body_that_is_no_message_is_answered_and_the_server_lives() {
    let dir = folder();
    let mut client = Client::start(dir.path(), pull());
    client.raw(b"Content-Length: 1\r\n\r\n{");
    let answer = client.read().unwrap();
    assert_eq!(answer["error"]["code"], -32700);
    assert_eq!(client.stop(), Some(0));
}

#[test]
fn requests_out_of_order_are_refused() {
    let dir = folder();
    let mut client = Client::start(dir.path(), pull());
    let id = client.begin("initialize", json!({}));
    assert_eq!(client.finish(id)["error"]["code"], -32600);
    let id = client.begin("textDocument/noSuchThing", json!({}));
    assert_eq!(client.finish(id)["error"]["code"], -32601);
    let id = client.begin("textDocument/diagnostic", json!({ "textDocument": 3 }));
    assert_eq!(client.finish(id)["error"]["code"], -32602);
    client.request("shutdown", Json::Null);
    let id = client.begin("textDocument/diagnostic", json!({}));
    assert_eq!(client.finish(id)["error"]["code"], -32600);
}

#[test]
fn diagnostics_are_pulled_or_pushed_never_both() {
    let dir = folder();
    let app = dir.path().join("app.yaml");
    let mut client = Client::start(dir.path(), pull());
    assert!(client.capabilities.get("diagnosticProvider").is_some());
    client.open(&app, None);
    let report = client.pull(&app);
    assert_eq!(report["items"][0]["code"], "target-unknown", "{report}");
    let again = client.request(
        "textDocument/diagnostic",
        json!({ "textDocument": { "uri": uri(&app) }, "previousResultId": report["resultId"] }),
    );
    assert_eq!(again["kind"], "unchanged");
    client.assert_nothing_is_pushed();

    let mut client = Client::start(dir.path(), json!({}));
    assert!(client.capabilities.get("diagnosticProvider").is_none());
    client.open(&app, None);
    let report = client.note("textDocument/publishDiagnostics");
    assert_eq!(
        (&report["version"], &report["diagnostics"][0]["code"]),
        (&json!(1), &json!("target-unknown"))
    );
    client.change(&app, 2, &STORY.replace("dekc", "deck"));
    let report = client.note("textDocument/publishDiagnostics");
    assert_eq!((&report["version"], &report["diagnostics"]), (&json!(2), &json!([])));
}

#[test]
fn a_file_that_was_missed_and_then_made_is_seen() {
    let dir = folder();
    let app = dir.path().join("app.yaml");
    let text = STORY
        .replace("dekc", "deck")
        .replace("  deck: { terminal: true }\n", "")
        + "include: [more.yaml]\n";
    let mut client = Client::start(dir.path(), pull());
    client.open(&app, Some(&text));
    let missing = client.pull(&app);
    assert_ne!(missing["items"], json!([]));
    let more = dir.path().join("more.yaml");
    std::fs::write(&more, "states:\n  deck: { terminal: true }\n").unwrap();
    client.notify(
        "workspace/didChangeWatchedFiles",
        json!({ "changes": [{ "uri": uri(&more), "type": 1 }] }),
    );
    assert_eq!(client.pull(&app)["items"], json!([]));
    // An atomic save: another file takes the name.
    std::fs::write(dir.path().join("new"), "states:\n  dock: { terminal: true }\n").unwrap();
    std::fs::rename(dir.path().join("new"), &more).unwrap();
    client.notify(
        "workspace/didChangeWatchedFiles",
        json!({ "changes": [{ "uri": uri(&more), "type": 1 }] }),
    );
    assert_ne!(client.pull(&app)["items"], json!([]));
}

#[test]
fn what_an_editor_shows_is_the_truth_until_it_is_closed() {
    let dir = folder();
    let app = dir.path().join("app.yaml");
    let mut client = Client::start(dir.path(), pull());
    client.open(&app, Some(&STORY.replace("dekc", "deck")));
    assert_eq!(client.pull(&app)["items"], json!([]));
    // The disk says something else about an open file: nobody asked.
    client.notify(
        "workspace/didChangeWatchedFiles",
        json!({ "changes": [{ "uri": uri(&app), "type": 2 }] }),
    );
    assert_eq!(client.pull(&app)["items"], json!([]));
    client.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri(&app) } }));
    assert_eq!(client.pull(&app)["items"][0]["code"], "target-unknown");
    client.open(&app, Some(&STORY.replace("dekc", "deck")));
    assert_eq!(client.pull(&app)["items"], json!([]));
}

#[test]
fn a_cancelled_request_is_answered_once() {
    let dir = folder();
    let app = dir.path().join("app.yaml");
    let mut client = Client::start(dir.path(), pull());
    client.open(&app, None);
    let id = client.begin(
        "textDocument/diagnostic",
        json!({ "textDocument": { "uri": uri(&app) } }),
    );
    client.notify("$/cancelRequest", json!({ "id": id }));
    let answer = client.finish(id);
    let code = &answer["error"]["code"];
    assert!(answer.get("result").is_some() || code == -32800, "{answer}");
    client.request("shutdown", Json::Null);
    assert!(client.notes.iter().all(|n| n["id"] != id));
}

#[test]
fn a_yaml_file_of_another_tool_is_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let app = dir.path().join("app.yaml");
    std::fs::write(&app, "runtime: go\nhandlers: [{ url: x }]\napp: name\nstates: no\n").unwrap();
    let mut client = Client::start(dir.path(), pull());
    client.open(&app, None);
    assert_eq!(client.pull(&app)["items"], json!([]));
}
