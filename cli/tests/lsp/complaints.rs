//! What people complain about in language servers for YAML, one test each where no other test shows that it cannot happen.

use std::path::Path;

use serde_json::{Value as Json, json};

use crate::client::{Client, uri};

fn pull() -> Json {
    json!({ "textDocument": { "diagnostic": { "relatedDocumentSupport": true } } })
}

/// A folder with files.
fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = dir.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    dir
}

/// What is wrong with the first of some files: rule, line from 0, column, message.
fn said(files: &[(&str, &str)]) -> Vec<(String, u64, u64, String)> {
    let dir = folder(files);
    let mut client = Client::start(dir.path(), pull());
    let path = dir.path().join(files[0].0);
    client.open(&path, None);
    let report = client.pull(&path);
    let items = report["items"].as_array().unwrap();
    items
        .iter()
        .map(|i| {
            let start = &i["range"]["start"];
            (
                i["code"].as_str().unwrap().to_owned(),
                start["line"].as_u64().unwrap(),
                start["character"].as_u64().unwrap(),
                i["message"].as_str().unwrap().to_owned(),
            )
        })
        .collect()
}

const HEAD: &str = "app: { id: a, version: 1.0.0 }\nroot: pier\n";

#[test]
fn c06_nothing_is_fetched() {
    let dir = folder(&[("app.yaml", &format!("{HEAD}states: {{ pier: {{ terminal: true }} }}\n"))]);
    let app = dir.path().join("app.yaml");
    let mut client = Client::start(dir.path(), pull());
    client.open(&app, None);
    client.pull(&app);
    let sockets = std::fs::read_dir(format!("/proc/{}/fd", client.id()))
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|f| std::fs::read_link(f.path()).ok())
        .filter(|l| l.to_string_lossy().starts_with("socket:"))
        .count();
    assert_eq!(sockets, 0);
}

#[test]
fn c07_messages_speak_of_stories() {
    let story = format!(
        "{HEAD}world: [1]\nstates:\n  pier: {{ veiw: x, on: {{ go: [{{ target: 3, when: [x] }}] }} }}\n  dock: []\nhosts: {{ a: b }}\n"
    );
    let found = said(&[("app.yaml", &story)]);
    assert!(found.len() >= 4, "{found:?}");
    for (rule, _, _, message) in found {
        for word in [
            "schema",
            "object",
            "deserial",
            "node",
            "unmarshal",
            "expected type",
            "struct",
        ] {
            assert!(!message.to_lowercase().contains(word), "{rule}: {message}");
        }
    }
}

#[test]
fn c08_an_error_stands_on_its_word() {
    let found = said(&[(
        "app.yaml",
        &format!(
            "{HEAD}intents: {{ go: {{}} }}\nstates:\n  pier:\n    on:\n      go:\n        - when: 'true'\n          target: dekc\n  deck: {{ terminal: true }}\n"
        ),
    )]);
    assert_eq!((found[0].0.as_str(), found[0].1, found[0].2), ("target-unknown", 8, 18));
}

#[test]
fn c09_an_error_in_a_text_of_several_lines_stands_in_it() {
    let found = said(&[(
        "app.yaml",
        &format!(
            "{HEAD}world: {{ n: {{ type: int }} }}\nstates:\n  pier:\n    terminal: true\n    view: |\n      one\n      two {{{{ world.m }}}}\n"
        ),
    )]);
    assert_eq!(
        (found[0].0.as_str(), found[0].1, found[0].2),
        ("undeclared-world-key", 8, 19)
    );
}

#[test]
fn c10_c11_values_of_the_running_story_are_not_judged() {
    let story = format!(
        "{HEAD}hosts: [host.run]\nintents: {{ go: {{ slots: {{ to: {{ type: string }} }} }} }}\nworld:\n  out: {{ type: object, default: {{}} }}\n  next: {{ type: string, default: pier }}\nstates:\n  pier:\n    on_enter:\n      - invoke: host.run\n        with: {{ cmd: \"{{{{ world.next }}}}\" }}\n        bind: {{ out: stdout_json.anything.goes }}\n        on_error: pier\n    view: \"{{{{ world.out.what.ever }}}} {{{{ world.next|upper }}}}\"\n    on:\n      go:\n        - target: \"{{{{ world.next }}}}\"\n          when: \"world.out.deep.field == slots.to\"\n        - target: done\n  done: {{ terminal: true, view: x }}\n"
    );
    let found = said(&[("app.yaml", &story)]);
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn c12_what_another_file_would_say_is_not_blamed_here() {
    let story = "app: { id: a, version: 1.0.0 }\nroot: k\nimports: { k: { source: ../gone } }\nstates:\n  end: { view: '{{ world.k__note }}', on: { k__go: [{ target: k.room }] } }\n";
    let found = said(&[("app.yaml", story)]);
    let rules: Vec<&str> = found.iter().map(|f| f.0.as_str()).collect();
    assert_eq!(rules, ["import-unreadable"], "{found:?}");
}

#[test]
fn c15_an_odd_file_costs_what_its_size_costs() {
    let mut bomb = format!("{HEAD}x0: &x0 [a, a, a, a, a, a, a, a, a, a]\n");
    for n in 1..30 {
        let items = vec![format!("*x{}", n - 1); 10].join(", ");
        bomb.push_str(&format!("x{n}: &x{n} [{items}]\n"));
    }
    let deep = format!("{HEAD}states: {}{}\n", "{ a: ".repeat(5000), "}".repeat(5000));
    for text in [bomb, deep] {
        let found = said(&[("app.yaml", &text)]);
        assert!(!found.is_empty() && found.len() < 200);
    }
}

#[test]
fn c16_moves_and_branch_switches_are_followed() {
    let room = "states:\n  pier: { terminal: true, view: x }\n";
    let dir = folder(&[
        ("app.yaml", &format!("{HEAD}include: [rooms/*.yaml]\n")),
        ("rooms/pier.yaml", room),
    ]);
    let app = dir.path().join("app.yaml");
    let mut client = Client::start(dir.path(), pull());
    client.open(&app, None);
    assert_eq!(client.pull(&app)["items"], json!([]));
    // The folder gets another name: one event each.
    std::fs::rename(dir.path().join("rooms"), dir.path().join("chambers")).unwrap();
    watch(&mut client, dir.path(), &[("rooms", 3), ("chambers", 1)]);
    assert_ne!(client.pull(&app)["items"], json!([]));
    // A branch switch: files come and go at once.
    std::fs::create_dir(dir.path().join("rooms")).unwrap();
    std::fs::write(dir.path().join("rooms/dock.yaml"), room).unwrap();
    std::fs::remove_dir_all(dir.path().join("chambers")).unwrap();
    watch(
        &mut client,
        dir.path(),
        &[("rooms", 1), ("rooms/dock.yaml", 1), ("chambers/pier.yaml", 3)],
    );
    assert_eq!(client.pull(&app)["items"], json!([]));
}

fn watch(client: &mut Client, root: &Path, changes: &[(&str, u32)]) {
    let changes: Vec<Json> = changes
        .iter()
        .map(|(path, kind)| json!({ "uri": uri(&root.join(path)), "type": kind }))
        .collect();
    client.notify("workspace/didChangeWatchedFiles", json!({ "changes": changes }));
}

#[test]
fn c17_the_language_id_of_a_client_does_not_matter() {
    let dir = folder(&[("app.yaml", &format!("{HEAD}states: {{ pier: {{ veiw: x }} }}\n"))]);
    let app = dir.path().join("app.yaml");
    let text = std::fs::read_to_string(&app).unwrap();
    for language in ["yaml", "kitsoki", "", "plaintext"] {
        let mut client = Client::start(dir.path(), pull());
        let document = json!({ "uri": uri(&app), "languageId": language, "version": 1, "text": text });
        client.notify("textDocument/didOpen", json!({ "textDocument": document }));
        assert_ne!(client.pull(&app)["items"], json!([]), "{language}");
    }
}
