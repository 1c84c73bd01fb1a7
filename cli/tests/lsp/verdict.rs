//! The editor and the command line say the same.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value as Json, json};

use crate::client::Client;

/// What is compared of a finding.
type Said = (String, String, u64, u64, u64, u64, String);

fn stories() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("stories")
}

fn checked(root: &Path, manifest: &Path) -> BTreeMap<String, Vec<Said>> {
    let output = Command::new(env!("CARGO_BIN_EXE_kitsoki"))
        .args(["check", "--format", "json"])
        .arg(manifest)
        .current_dir(root)
        .output()
        .unwrap();
    let report: Json = serde_json::from_slice(&output.stdout).unwrap();
    let mut out: BTreeMap<String, Vec<Said>> = BTreeMap::new();
    for finding in report["diagnostics"].as_array().unwrap() {
        let range = &finding["primary"]["range"];
        let at = |end: &str, key: &str| range[end][key].as_u64().unwrap_or(1) - 1;
        let text = |key: &str| finding[key].as_str().unwrap().to_owned();
        let file = finding["primary"]["file"].as_str().unwrap_or_default();
        out.entry(root.join(file).display().to_string()).or_default().push((
            text("rule"),
            text("severity"),
            at("start", "line"),
            at("start", "column"),
            at("end", "line"),
            at("end", "column"),
            text("message"),
        ));
    }
    out.values_mut().for_each(|v| v.sort());
    out
}

fn said(item: &Json) -> Said {
    let range = &item["range"];
    let at = |end: &str, key: &str| range[end][key].as_u64().unwrap();
    let severity = ["", "error", "warning", "", "hint"][item["severity"].as_u64().unwrap() as usize];
    (
        item["code"].as_str().unwrap().to_owned(),
        severity.to_owned(),
        at("start", "line"),
        at("start", "character"),
        at("end", "line"),
        at("end", "character"),
        item["message"].as_str().unwrap().lines().next().unwrap().to_owned(),
    )
}

fn pulled(client: &mut Client, manifest: &Path) -> BTreeMap<String, Vec<Said>> {
    client.open(manifest, None);
    let report = client.pull(manifest);
    let mut out: BTreeMap<String, Vec<Said>> = BTreeMap::new();
    let mut take = |path: String, items: &Json| {
        let items: Vec<Said> = items.as_array().unwrap().iter().map(said).collect();
        if !items.is_empty() {
            out.insert(path, items);
        }
    };
    take(manifest.display().to_string(), &report["items"]);
    for (uri, related) in report["relatedDocuments"].as_object().into_iter().flatten() {
        take(uri.trim_start_matches("file://").to_owned(), &related["items"]);
    }
    out.values_mut().for_each(|v| v.sort());
    client.notify(
        "textDocument/didClose",
        json!({ "textDocument": { "uri": crate::client::uri(manifest) } }),
    );
    out
}

/// What a server says without being asked about the story of a manifest, file by file.
fn pushed(root: &Path, manifest: &Path, files: usize) -> BTreeMap<String, Vec<Said>> {
    let mut client = Client::start(root, json!({}));
    client.open(manifest, None);
    let mut out: BTreeMap<String, Vec<Said>> = BTreeMap::new();
    let mut own = false;
    // The manifest is spoken of even when nothing is wrong with it.
    while !own || out.len() < files {
        let note = client.note("textDocument/publishDiagnostics");
        let path = note["uri"].as_str().unwrap().trim_start_matches("file://").to_owned();
        own |= path == manifest.display().to_string();
        let mut items: Vec<Said> = note["diagnostics"].as_array().unwrap().iter().map(said).collect();
        items.sort();
        if !items.is_empty() {
            out.insert(path, items);
        }
    }
    client.assert_nothing_is_pushed();
    out
}

fn pull() -> Json {
    json!({ "textDocument": { "diagnostic": { "relatedDocumentSupport": true } } })
}

#[test]
fn the_shipped_stories_have_one_verdict() {
    let root = stories();
    let mut client = Client::start(&root, pull());
    let mut seen = 0;
    for entry in std::fs::read_dir(&root).unwrap() {
        let manifest = entry.unwrap().path().join("app.yaml");
        if manifest.is_file() {
            let command_line = checked(&root, &manifest);
            assert_eq!(pulled(&mut client, &manifest), command_line, "{manifest:?}");
            let files = command_line.len();
            assert_eq!(pushed(&root, &manifest, files), command_line, "{manifest:?}");
            seen += 1;
        }
    }
    assert!(seen > 3);
}

#[test]
fn faults_of_every_kind_have_one_verdict() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    let child = "app: { id: child, version: 1.0.0 }\nroot: a\nworld: { note: { type: string, default: '' } }\nexits: { done: {} }\nstates:\n  a: { view: 'é 🍵 {{ world.nota }}', on: { go: [{ target: '@exit:done' }] } }\nintents: { go: {} }\n";
    let cases = [
        ("target", "app: { id: a, version: 1.0.0 }\nroot: pier\nintents: { board: {} }\nstates:\n  pier: { on: { board: [{ target: dekc }] } }\n  deck: { terminal: true }\n".to_owned()),
        ("syntax", "app: { id: a, version: 1.0.0 }\nroot: pier\nstates:\n  pier: { view: {{ world.x }} }\n  \tx: 3\n".to_owned()),
        ("key", "app: { id: a, version: 1.0.0 }\nroot: pier\nstates:\n  pier: { veiw: 'x', terminal: true }\n".to_owned()),
        ("guard", "app: { id: a, version: 1.0.0 }\nroot: pier\nintents: { go: {} }\nstates:\n  pier: { on: { go: [{ when: 'world.x == ', target: pier }] } }\n".to_owned()),
        ("import", "app: { id: a, version: 1.0.0 }\nroot: k\nimports: { k: { source: ../child, exits: { done: { to: end } } } }\nstates: { end: { terminal: true } }\n".to_owned()),
        ("allowed", "app: { id: a, version: 1.0.0 }\nroot: pier\nstates:\n  # kitsoki: allow(dead-end) it is the end\n  pier: { view: x }\n  dock: { view: y }\n".to_owned()),
        ("missing", "app: { id: a, version: 1.0.0 }\nroot: pier\ninclude: [no/*.yaml]\nimports: { k: { source: ../nowhere } }\nstates:\n  pier: { terminal: true }\n".to_owned()),
        ("empty", "app: {}\nstates:\n".to_owned()),
    ];
    std::fs::create_dir(root.join("child")).unwrap();
    std::fs::write(root.join("child/app.yaml"), child).unwrap();
    std::fs::write(root.join("kitsoki.toml"), "[rules]\ndead-end = \"error\"\n").unwrap();
    let mut client = Client::start(&root, pull());
    for (name, text) in &cases {
        let manifest = root.join(name).join("app.yaml");
        std::fs::create_dir(root.join(name)).unwrap();
        std::fs::write(&manifest, text).unwrap();
        let command_line = checked(&root, &manifest);
        assert!(!command_line.is_empty() || *name == "allowed", "{name} is clean");
        // Columns of the command line are characters, those of this client units of UTF-16.
        let widen = |mut all: BTreeMap<String, Vec<Said>>| {
            for (path, said) in &mut all {
                let text = std::fs::read_to_string(path).unwrap();
                for s in said.iter_mut() {
                    let units = |line: u64, column: u64| {
                        let line = text.lines().nth(line as usize).unwrap_or_default();
                        line.chars()
                            .take(column as usize)
                            .map(|c| c.len_utf16() as u64)
                            .sum::<u64>()
                    };
                    (s.3, s.5) = (units(s.2, s.3), units(s.4, s.5));
                }
            }
            all
        };
        let command_line = widen(command_line);
        assert_eq!(pulled(&mut client, &manifest), command_line, "{name}");
        let files = command_line.len();
        assert_eq!(pushed(&root, &manifest, files), command_line, "{name}");
    }
}
