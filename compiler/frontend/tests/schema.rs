//! The JSON Schema agrees with the reader: every shipped story validates, and what the reader refuses does not.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test stops at the first surprise")]

use camino::{Utf8Path, Utf8PathBuf};
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
