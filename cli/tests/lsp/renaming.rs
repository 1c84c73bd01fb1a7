//! Renaming through the protocol in a copy of the shipped stories: what `check` says and how every flow ends stays as it was.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value as Json, json};

use crate::client::{Client, uri};

/// A story that imports `dev-story`, so that an alias can be renamed.
const YARD: &str = "app: { id: yard, version: 1.0.0 }\nroot: desk\nhosts: [host.agent.task, host.agent.decide, host.starlark.run]\nimports:\n  desk: { source: ../dev-story, entry: landing }\nstates:\n  gate:\n    view: \"{{ world.desk__captured }} proven\"\n    on: { desk__go_main: [{ target: desk.landing }] }\n";
const YARD_FLOW: &str = "test_kind: flow\ninitial_state: desk.plan_done\ninitial_world: { desk__captured: 2 }\nturns:\n  - intent: { name: desk__go_main }\n    expect_state: desk.landing\n    expect_world: { desk__captured: 2 }\n";

/// What a name is called afterwards: no text of the stories holds it.
const NEW: &str = "zz_renamed";

struct Copy {
    _dir: tempfile::TempDir,
    root: PathBuf,
    client: Client,
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

impl Copy {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap().join("stories");
        copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../stories"), &root);
        std::fs::create_dir_all(root.join("yard/flows")).unwrap();
        std::fs::write(root.join("yard/app.yaml"), YARD).unwrap();
        std::fs::write(root.join("yard/flows/desk.yaml"), YARD_FLOW).unwrap();
        // The server is told of changes, and it is told of none: every rename begins with the texts as they were.
        let watches = json!({ "workspace": { "didChangeWatchedFiles": { "dynamicRegistration": true } } });
        let client = Client::start(&root, watches);
        Self {
            _dir: dir,
            root,
            client,
        }
    }

    fn run(&self, args: &[&str]) -> Vec<u8> {
        let output = Command::new(env!("CARGO_BIN_EXE_kitsoki"))
            .args(args)
            .current_dir(&self.root)
            .output()
            .unwrap();
        output.stdout
    }

    /// What is said about every story, and how every flow ends, with the old name in place of the new one.
    fn verdict(&self, old: &str) -> (Vec<String>, String) {
        let mut said: Vec<String> = Vec::new();
        for story in ["dev-story", "pipeline", "git-hub", "yard"] {
            let report: Json = serde_json::from_slice(&self.run(&["check", "--format", "json", story])).unwrap();
            for finding in report["diagnostics"].as_array().unwrap() {
                let all = [
                    &finding["rule"],
                    &finding["severity"],
                    &finding["message"],
                    &finding["primary"]["file"],
                ];
                said.push(format!("{story}: {all:?}").replace(NEW, old));
            }
        }
        said.sort();
        let flows = String::from_utf8(self.run(&["test", "flows", "."])).unwrap();
        assert!(flows.contains("All stories: ") && !flows.contains("FAIL"), "{flows}");
        (said, flows.replace(NEW, old))
    }

    /// The edits of renaming the name behind `before` in a file.
    fn rename(&mut self, file: &str, before: &str, old: &str) -> Vec<(PathBuf, String)> {
        let path = self.root.join(file);
        let text = std::fs::read_to_string(&path).unwrap();
        let at = text
            .find(&format!("{before}{old}"))
            .unwrap_or_else(|| panic!("{file}: no `{before}{old}`"));
        let at = at + before.len();
        let line = text[..at].matches('\n').count();
        let column = text[..at].rsplit('\n').next().unwrap().encode_utf16().count();
        let edit = self.client.request(
            "textDocument/rename",
            json!({
                "textDocument": { "uri": uri(&path) },
                "position": { "line": line, "character": column },
                "newName": NEW,
            }),
        );
        let changes = edit["changes"].as_object().unwrap();
        changes.iter().map(|(uri, edits)| applied(uri, edits)).collect()
    }
}

/// A file and its text after some edits.
fn applied(uri: &str, edits: &Json) -> (PathBuf, String) {
    let path = PathBuf::from(uri.trim_start_matches("file://"));
    let mut text = std::fs::read_to_string(&path).unwrap();
    let offset = |text: &str, place: &Json| {
        let line = place["line"].as_u64().unwrap() as usize;
        let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
        let mut units = place["character"].as_u64().unwrap();
        let mut at = start;
        for c in text[start..].chars() {
            if units == 0 {
                break;
            }
            units -= c.len_utf16() as u64;
            at += c.len_utf8();
        }
        at
    };
    let mut all: Vec<(usize, usize, &str)> = edits
        .as_array()
        .unwrap()
        .iter()
        .map(|e| {
            let range = &e["range"];
            let ends = (offset(&text, &range["start"]), offset(&text, &range["end"]));
            (ends.0, ends.1, e["newText"].as_str().unwrap())
        })
        .collect();
    all.sort();
    for (start, end, new) in all.into_iter().rev() {
        text.replace_range(start..end, new);
    }
    (path, text)
}

#[test]
fn after_a_rename_check_and_every_flow_say_what_they_said() {
    let mut copy = Copy::new();
    // A rename searches the stories of the workspace: they have been found when one of them is.
    while copy.client.request("workspace/symbol", json!({ "query": "plan_done" }))[0].is_null() {}
    for (file, before, old, least) in [
        ("dev-story/rooms/applying.yaml", "  ", "applying", 2),
        ("dev-story/rooms/verifying.yaml", "\n  ", "plan_done", 5),
        ("dev-story/rooms/landing.yaml", "\n  ", "landing", 12),
        ("dev-story/app.yaml", "\n  ", "accept_plan", 9),
        ("dev-story/app.yaml", "\n  ", "verify_done", 2),
        ("dev-story/app.yaml", "\n  ", "captured", 8),
        ("dev-story/app.yaml", "\n  ", "accepted_plan", 5),
        ("dev-story/app.yaml", "\n  ", "go_main", 4),
        ("dev-story/rooms/applying.yaml", "id: ", "apply-step", 9),
        ("pipeline/app.yaml", "\n      ", "version", 4),
        ("yard/app.yaml", "\n  ", "desk", 2),
    ] {
        let before_rename = copy.verdict(old);
        let edits = copy.rename(file, before, old);
        assert!(edits.len() >= least, "{old}: {} files", edits.len());
        let texts: Vec<(PathBuf, String)> = edits
            .into_iter()
            .map(|(path, text)| {
                let was = std::fs::read_to_string(&path).unwrap();
                assert!(text.contains(NEW), "{}", path.display());
                std::fs::write(&path, text).unwrap();
                (path, was)
            })
            .collect();
        assert_eq!(copy.verdict(old), before_rename, "{file}: {old}");
        for (path, text) in texts {
            std::fs::write(path, text).unwrap();
        }
    }
    assert_eq!(copy.client.stop(), Some(0));
}
