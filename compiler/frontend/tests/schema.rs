//! The JSON Schema agrees with the reader: every shipped story validates, and what the reader refuses does not.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test stops at the first surprise")]

use std::collections::BTreeSet;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use kitsoki_compiler::db::{Database, Db as _, MemorySystem};
use kitsoki_compiler::pipeline;
use kitsoki_compiler::surface::{Decoder, Surface as _, decode_manifest, json_schema};
use kitsoki_diagnostics::Level;
use kitsoki_syntax::{FileId, parse};
use serde_json::Value as Json;

/// A YAML text as an editor's YAML server would hand it to a validator: aliases and merges resolved.
fn instance(text: &str) -> Json {
    let tree = parse(text).tree;
    let mut cx = Decoder::new(&tree, FileId(0));
    let root = tree.root().unwrap();
    kitsoki_compiler::surface::Any::decode(&mut cx, root, kitsoki_syntax::Span::start_of(FileId(0)))
        .unwrap()
        .to_json()
}

fn validator() -> jsonschema::Validator {
    let schema = json_schema();
    jsonschema::draft7::meta::validate(&schema).unwrap_or_else(|e| panic!("not a schema: {e}"));
    jsonschema::draft7::new(&schema).unwrap()
}

fn yaml_files(dir: &Utf8Path, out: &mut Vec<Utf8PathBuf>) {
    for entry in dir.read_dir_utf8().unwrap() {
        let path = entry.unwrap().path().to_owned();
        if path.is_dir() {
            yaml_files(&path, out);
        } else if path.extension() == Some("yaml") {
            out.push(path);
        }
    }
}

#[test]
fn shipped_stories_validate() {
    let validator = validator();
    let stories = Utf8Path::new(env!("CARGO_MANIFEST_DIR")).join("../../stories");
    let mut files = Vec::new();
    yaml_files(&stories, &mut files);
    files.retain(|path| {
        let folder = path.parent().and_then(Utf8Path::file_name).unwrap_or_default();
        !["flows", "intents", "cassettes", "verify", "schemas"].contains(&folder)
    });
    assert!(files.len() > 15, "the shipped stories are not where they were");
    for path in files {
        let instance = instance(&std::fs::read_to_string(&path).unwrap());
        if let Some(error) = validator.iter_errors(&instance).next() {
            panic!("{path}: {error} at {}", error.instance_path());
        }
    }
}

/// Whether the reader refuses a text.
fn refused(text: &str) -> bool {
    let tree = parse(text).tree;
    let (_, findings) = decode_manifest(&tree, FileId(0));
    findings.iter().any(|finding| finding.severity == Level::Error)
}

#[test]
fn the_schema_takes_what_the_reader_takes() {
    let validator = validator();
    for text in [
        "app: { id: a, version: 1.0 }",
        "root: pier",
        "root: { inline: true }",
        "states: { pier: { view: Hello, on: { go: [{ target: ., effects: [{ set: { a: [1] } }] }] } }, empty: }",
        "states: { pier: { agent_off_ramp: true, timeout: { after: 5m, target: x } } }",
        "states: { pier: { agent_off_ramp: { persona: p } } }",
        "states: { pier: { view: [{ prose: x, when: a }, { list: { items: [one, { label: two }] } }, { kv: { pairs: { a: b } } }] } }",
        "states: { pier: { view: { extends: x.html, blocks: { main: [{ prose: x }] } } } }",
        "world: { a: { type: int, default: 1 }, b: 7, c: { free: map }, d: [1], e: {}, f: }",
        "agents: { a: { system_prompt: x, bash_profile: read-only, effort: high, token_budget: { warn_tokens: '5' } } }",
        "agents: { a: { bash_profile: { commands: [ls] } } }",
        "imports: { k: { source: ./kid, host_bindings: { i: host.run, j: { script: s.star } }, hosts: inherit } }",
        "intents: { go: { synonyms: [walk], slots: { to: { type: enum, values: [a, 1], default: ~ } } } }",
        "routing: { enabled: false, semantic_high_bar: 0.9 }",
        "phases: { template: t, graph: { a: { anything: 1, on_enter: [{ say: x }] } } }",
        "states: &s { a: { view: x } }",
        "base: &b { view: x }",
    ] {
        let valid = validator.is_valid(&instance(text));
        assert_eq!(valid, !refused(text), "{text}");
    }
}

#[test]
fn the_schema_refuses_what_the_reader_refuses() {
    let validator = validator();
    for text in [
        "- a list",
        "roots: pier",
        "app: id",
        "states: [pier]",
        "states: { pier: { veiw: Hello } }",
        "states: { pier: { on: { go: { target: x } } } }",
        "states: { pier: { terminal: 'yes' } }",
        "states: { pier: { agent_off_ramp: { persona: p, x: y } } }",
        "states: { pier: { view: { file: x } } }",
        "states: { pier: { view: [text] } }",
        "agents: { a: { bash_profile: all } }",
        "agents: { a: { token_budget: { warn: 5 } } }",
        "include: rooms/*.yaml",
        "intents: { go: { slots: [to] } }",
        "imports: { k: { source: [x] } }",
        "phases: { template: t, graph: { a: { on_enter: [{ sai: x }] } } }",
    ] {
        assert!(refused(text), "the reader takes {text}");
        assert!(!validator.is_valid(&instance(text)), "the schema takes {text}");
    }
}

#[test]
fn every_key_says_what_it_is_for() {
    let schema = json_schema();
    let definitions = schema["definitions"].as_object().unwrap();
    let all = definitions.iter().map(|(name, d)| (name.as_str(), d));
    for (name, definition) in all.chain([("the top level", &schema)]) {
        let properties = definition.get("properties").and_then(Json::as_object);
        for (key, value) in properties.into_iter().flatten() {
            let says = value["description"].as_str().is_some_and(|text| !text.is_empty());
            assert!(says, "`{key}` of {name} says nothing");
        }
    }
    assert!(definitions.len() > 40, "{}", definitions.len());
}

/// A story with a word in the place of a key that takes only some; `@` stands for the word.
const PLACES: &[(&str, &str, &str)] = &[
    ("Room", "write_mode", "states: { x: { view: y, write_mode: @ } }"),
    ("Room", "decider", "states: { x: { view: y, decider: @ } }"),
    (
        "Room",
        "intercept_drive",
        "states: { x: { view: y, intercept_drive: @ } }",
    ),
    ("Room", "transcript", "states: { x: { view: y, transcript: @ } }"),
    (
        "Prerequisite",
        "severity",
        "states: { x: { view: y, prerequisites: [{ id: a, severity: @ }] } }",
    ),
    (
        "Assignment",
        "sync",
        "states: { x: { view: y, assignment: { role: a, sync: @ } } }",
    ),
    ("Agent", "effort", "agents: { a: { system_prompt: x, effort: @ } }"),
    ("Agent", "effect", "agents: { a: { system_prompt: x, effect: @ } }"),
    (
        "Permissions",
        "mode",
        "agents: { a: { system_prompt: x, permissions: { mode: @ } } }",
    ),
    ("Toolbox", "effect", "toolboxes: { t: { tools: [], effect: @ } }"),
    ("Plugin", "plugin", "agent_plugins: { agent.p: { plugin: @ } }"),
    ("Import", "hosts", "imports: { k: { source: ./kid, hosts: @ } }"),
    (
        "InterfaceOperation",
        "effect",
        "host_interfaces: { i: { operations: { o: { effect: @ } } } }",
    ),
    ("Operation", "mode", "operations: { o: { mode: @ } }"),
    (
        "Operation",
        "execution_mode",
        "operations: { o: { execution_mode: @ } }",
    ),
    (
        "ChoiceBody",
        "mode",
        "states: { x: { view: [{ choice: { mode: @ } }] } }",
    ),
    (
        "ChoiceParam",
        "type",
        "intents: { go: { slots: { s: { type: string } } } }\nstates: { x: { on: { go: [{ target: . }] }, view: [{ choice: { mode: single, items: [{ label: a, intent: go, param: { slot: s, type: @ } }] } }] } }",
    ),
    (
        "ChoiceField",
        "type",
        "intents: { go: { slots: { s: { type: string } } } }\nstates: { x: { on: { go: [{ target: . }] }, view: [{ choice: { mode: form, intent: go, template: '{s}', fields: { s: { type: @ } } } }] } }",
    ),
];

/// The errors of a story: rule and message.
fn complaints(text: &str, word: &str) -> BTreeSet<(String, String)> {
    let text = format!(
        "app: {{ id: a, version: 0.1.0 }}\nroot: x\n{}\n",
        text.replace('@', word)
    );
    let kid = "app: { id: kid, version: 0.1.0 }\nroot: a\nstates: { a: { view: x } }\n";
    let db = Database::new(Arc::new(MemorySystem::new([
        ("/s/app.yaml", text.as_str()),
        ("/s/kid/app.yaml", kid),
    ])));
    let root = db.file(Utf8Path::new("/s/app.yaml"));
    let findings = pipeline::findings(&db, root);
    findings
        .iter()
        .filter(|finding| finding.severity == Level::Error)
        .map(|finding| (finding.rule.to_string(), finding.message.replace(word, "@")))
        .collect()
}

/// The words that a property takes, when it takes nothing else.
fn only(property: &Json) -> Option<Vec<String>> {
    let forms = property.get("anyOf")?.as_array()?;
    let words = forms.iter().find_map(|form| form.get("enum"))?.as_array()?;
    let closed = forms
        .iter()
        .all(|form| form.get("enum").is_some() || form.get("type") == Some(&Json::from("null")));
    closed.then(|| {
        words
            .iter()
            .filter_map(|w| w.as_str())
            .filter(|w| !w.is_empty())
            .map(str::to_owned)
            .collect()
    })
}

#[test]
fn words_of_the_schema_are_those_of_the_rules() {
    let schema = json_schema();
    let mut seen = 0;
    for (name, definition) in schema["definitions"].as_object().unwrap() {
        let properties = definition.get("properties").and_then(Json::as_object);
        for (key, property) in properties.into_iter().flatten() {
            let Some(words) = only(property) else { continue };
            let place = PLACES.iter().find(|(n, k, _)| n == name && k == key);
            let (_, _, text) = place.unwrap_or_else(|| panic!("no story tries the words of `{key}` of {name}"));
            let wrong = complaints(text, "zzqzz");
            let of_the_word: BTreeSet<_> = words.iter().fold(wrong, |left, word| &left - &complaints(text, word));
            assert!(!of_the_word.is_empty(), "`{key}` of {name} takes any word");
            seen += 1;
        }
    }
    assert_eq!(seen, PLACES.len());
}
