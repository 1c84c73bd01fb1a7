//! Every feature once through the protocol: it is advertised, it answers, and its positions are the client's.

use std::path::{Path, PathBuf};

use serde_json::{Value as Json, json};

use crate::client::{Client, uri};

const STORY: &str = "# é🍵\napp: { id: ferry, version: 0.1.0 }\nroot: pier\nhosts: [host.run]\nworld: { note: { type: string, default: '' } }\nintents: { board: { slots: { who: { type: string } } } }\nstates:\n  pier:\n    view: '🍵 {{ world.note|upper }}'\n    on_enter:\n      - invoke: host.run\n        with: { cmd: ls }\n        bind: { note: stdout }\n        on_error: deck\n    on: { board: [{ when: 'len(world.note) > 1', target: deck }, { target: '.' }] }\n  deck: { terminal: true, view: x }\n";

struct Setup {
    _dir: tempfile::TempDir,
    client: Client,
    app: PathBuf,
}

fn setup(capabilities: Json) -> Setup {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    let app = root.join("app.yaml");
    std::fs::write(&app, STORY).unwrap();
    let mut client = Client::start(&root, capabilities);
    client.open(&app, None);
    Setup { _dir: dir, client, app }
}

/// Where some words begin, counted in bytes or in units of UTF-16, `skip` bytes further on.
fn position(words: &str, skip: usize, utf8: bool) -> Json {
    let at = STORY.find(words).unwrap() + skip;
    let before = &STORY[..at];
    let line = before.matches('\n').count();
    let start = before.rfind('\n').map_or(0, |n| n + 1);
    let column = if utf8 {
        at - start
    } else {
        before[start..].encode_utf16().count()
    };
    json!({ "line": line, "character": column })
}

fn at(app: &Path, position: &Json) -> Json {
    json!({ "textDocument": { "uri": uri(app) }, "position": position })
}

#[test]
fn every_row_of_the_table_is_advertised() {
    let s = setup(json!({ "textDocument": { "diagnostic": {} } }));
    for capability in [
        "diagnosticProvider",
        "completionProvider",
        "signatureHelpProvider",
        "hoverProvider",
        "definitionProvider",
        "typeDefinitionProvider",
        "implementationProvider",
        "referencesProvider",
        "documentHighlightProvider",
        "renameProvider",
        "documentSymbolProvider",
        "workspaceSymbolProvider",
        "codeActionProvider",
        "codeLensProvider",
        "inlayHintProvider",
        "semanticTokensProvider",
        "documentFormattingProvider",
        "documentRangeFormattingProvider",
        "documentOnTypeFormattingProvider",
        "foldingRangeProvider",
        "selectionRangeProvider",
        "documentLinkProvider",
        "callHierarchyProvider",
        "executeCommandProvider",
    ] {
        let value = &s.client.capabilities[capability];
        assert!(!value.is_null() && value != false, "{capability}");
    }
    assert_eq!(s.client.capabilities["textDocumentSync"]["change"], 2);
    assert_eq!(
        s.client.capabilities["workspace"]["workspaceFolders"]["supported"],
        true
    );
}

#[test]
fn positions_are_those_of_the_negotiated_encoding() {
    for (encodings, utf8) in [
        (json!(["utf-16", "utf-8"]), true),
        (json!(["utf-16"]), false),
        (Json::Null, false),
    ] {
        let mut s = setup(json!({ "general": { "positionEncodings": encodings } }));
        let wanted = if utf8 { "utf-8" } else { "utf-16" };
        assert_eq!(s.client.capabilities["positionEncoding"], wanted);
        let place = position("world.note|upper", 7, utf8);
        let hover = s.client.request("textDocument/hover", at(&s.app, &place));
        assert_eq!(
            hover["range"]["start"],
            position("world.note|upper", 6, utf8),
            "{wanted}"
        );
        assert_eq!(
            hover["range"]["end"],
            position("world.note|upper", 10, utf8),
            "{wanted}"
        );
    }
}

#[test]
fn every_request_answers_with_content() {
    let mut s = setup(json!({
        "textDocument": { "documentSymbol": { "hierarchicalDocumentSymbolSupport": true } },
        "workspace": { "workspaceEdit": { "documentChanges": true } },
    }));
    let app = s.app.clone();
    let place = |words: &str, skip: usize| at(&app, &position(words, skip, false));
    let file = json!({ "textDocument": { "uri": uri(&app) } });
    let all = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
    let ranged = json!({ "textDocument": { "uri": uri(&app) }, "range": all });
    let note = place("world.note|upper", 7);
    let mut renamed = note.clone();
    renamed["newName"] = json!("memo");
    let mut cited = note.clone();
    cited["context"] = json!({ "includeDeclaration": true });
    let mut acted = ranged.clone();
    acted["context"] = json!({ "diagnostics": [] });
    let selections = json!({ "textDocument": { "uri": uri(&app) }, "positions": [note["position"]] });
    let expand = json!({ "command": "kitsoki.expand", "arguments": [note] });
    let client = &mut s.client;
    for (method, params, pointer) in [
        ("textDocument/completion", note.clone(), "/items/0/textEdit"),
        ("textDocument/signatureHelp", place("cmd: ls", 5), "/signatures/0/label"),
        ("textDocument/definition", note.clone(), "/0/uri"),
        ("textDocument/typeDefinition", note.clone(), "/0/uri"),
        ("textDocument/references", cited, "/3/range"),
        ("textDocument/documentHighlight", note.clone(), "/0/kind"),
        ("textDocument/prepareRename", note.clone(), "/placeholder"),
        ("textDocument/rename", renamed, "/documentChanges/0/edits/3/newText"),
        ("textDocument/documentSymbol", file.clone(), "/0/selectionRange"),
        ("workspace/symbol", json!({ "query": "pier" }), "/0/location/uri"),
        ("textDocument/codeLens", file.clone(), "/0/data"),
        ("textDocument/inlayHint", ranged.clone(), "/0/label"),
        ("textDocument/semanticTokens/full", file.clone(), "/data/4"),
        ("textDocument/semanticTokens/range", ranged, "/data/4"),
        ("textDocument/foldingRange", file.clone(), "/0/startLine"),
        ("textDocument/selectionRange", selections, "/0/parent/parent"),
        ("textDocument/prepareCallHierarchy", place("  deck: {", 3), "/0/data"),
        ("workspace/executeCommand", expand, "/text"),
    ] {
        let answer = client.request(method, params);
        assert!(answer.pointer(pointer).is_some(), "{method}: no {pointer} in {answer}");
    }
    for method in ["textDocument/documentLink", "textDocument/formatting"] {
        assert!(client.request(method, file.clone()).is_array(), "{method}");
    }
    assert!(client.request("textDocument/codeAction", acted).is_array());
    let lens = client.request("textDocument/codeLens", file.clone())[0].clone();
    let lens = client.request("codeLens/resolve", lens);
    let title = lens["command"]["title"].as_str().unwrap();
    assert!(title.contains("reference"), "{title}");
    let reached = client.request("textDocument/codeLens", file);
    let mut reached = reached.as_array().unwrap().iter();
    let reached = reached.find(|l| l["data"]["name"] == "deck" && l["data"]["arcs"] == true);
    let reached = client.request("codeLens/resolve", reached.unwrap().clone());
    assert_eq!(reached["command"]["title"], "from 1 room");
    let items = client.request("textDocument/completion", note);
    let item = items["items"]
        .as_array()
        .unwrap()
        .iter()
        .find(|i| i["label"] == "note")
        .unwrap();
    let item = client.request("completionItem/resolve", item.clone());
    assert!(item["documentation"]["value"].as_str().unwrap().contains("world key"));
    let room = client.request("textDocument/prepareCallHierarchy", place("  deck: {", 3))[0].clone();
    let into = client.request("callHierarchy/incomingCalls", json!({ "item": room }));
    assert_eq!(into[0]["from"]["name"], "pier");
    let from = into[0]["from"].clone();
    let out = client.request("callHierarchy/outgoingCalls", json!({ "item": from }));
    assert!(out.as_array().unwrap().iter().any(|c| c["to"]["name"] == "deck"));
}

#[test]
fn a_part_is_formatted_alone_and_a_line_when_it_is_left() {
    let mut s = setup(json!({}));
    let text = "app: { id: a, version: 1.0.0 }\nroot:   pier\nstates:\n  pier: {view:   x}\n";
    s.client.change(&s.app, 2, text);
    let options = json!({ "tabSize": 2, "insertSpaces": true });
    let edit = |line: u32, new: &str| {
        let range = json!({ "start": { "line": line, "character": 0 }, "end": { "line": line + 1, "character": 0 } });
        json!([{ "range": range, "newText": new }])
    };
    let document = json!({ "uri": uri(&s.app) });
    let range = json!({ "start": { "line": 3, "character": 2 }, "end": { "line": 3, "character": 6 } });
    let params = json!({ "textDocument": document, "range": range, "options": options });
    let edits = s.client.request("textDocument/rangeFormatting", params);
    assert_eq!(edits, edit(3, "  pier: { view: x }\n"));
    let place = json!({ "line": 2, "character": 0 });
    let params = json!({ "textDocument": document, "position": place, "ch": "\n", "options": options });
    let edits = s.client.request("textDocument/onTypeFormatting", params);
    assert_eq!(edits, edit(1, "root: pier\n"));
}

#[test]
fn several_folders_come_and_go() {
    let mut s = setup(json!({ "textDocument": { "diagnostic": {} } }));
    let other = tempfile::tempdir().unwrap();
    let root = other.path().canonicalize().unwrap();
    let child = "app: { id: quay, version: 1.0.0 }\nroot: steps\nstates: { steps: { terminal: true, view: x } }\n";
    std::fs::write(root.join("app.yaml"), child).unwrap();
    let folder = json!({ "uri": uri(&root), "name": "other" });
    let found = |client: &mut Client| -> bool {
        let all = client.request("workspace/symbol", json!({ "query": "steps" }));
        all.as_array().is_some_and(|all| !all.is_empty())
    };
    assert!(!found(&mut s.client));
    let change = |added: Json, removed: Json| json!({ "event": { "added": added, "removed": removed } });
    s.client.notify(
        "workspace/didChangeWorkspaceFolders",
        change(json!([folder]), json!([])),
    );
    // The folder is searched in the background.
    while !found(&mut s.client) {}
    assert_eq!(s.client.pull(&root.join("app.yaml"))["items"], json!([]));
    s.client.notify(
        "workspace/didChangeWorkspaceFolders",
        change(json!([]), json!([folder])),
    );
    while found(&mut s.client) {}
}

#[test]
fn an_expansion_is_a_document_of_its_own() {
    let mut s = setup(json!({}));
    let place = at(&s.app, &position("  pier:\n", 3, false));
    let expand = json!({ "command": "kitsoki.expand", "arguments": [place] });
    let expanded = s.client.request("workspace/executeCommand", expand);
    let content = s
        .client
        .request("workspace/textDocumentContent", json!({ "uri": expanded["uri"] }));
    assert_eq!(content["text"], expanded["text"]);
    assert!(expanded["text"].as_str().unwrap().contains("room pier"));
}
