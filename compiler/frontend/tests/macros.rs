//! Every macro before and after: what it changes in a story, line by line, with the place that caused each line.
#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::sync::Arc;

use camino::Utf8Path;
use kitsoki_compiler::db::{Database, Db, MemorySystem};
use kitsoki_compiler::emit::{Format, Request, Stage, emit};
use kitsoki_compiler::pipeline;
use kitsoki_diagnostics::Level;

/// A story in memory, under `/story`.
fn story(files: &[(&str, &str)]) -> Database {
    let files = files.iter().map(|(path, text)| (format!("/story/{path}"), *text));
    Database::new(Arc::new(MemorySystem::new(files)))
}

fn show(db: &Database, stage: Stage, room: Option<&str>, diff: bool) -> String {
    let root = db.file(Utf8Path::new("/story/app.yaml"));
    let errors: Vec<_> = pipeline::check(db, root)
        .iter()
        .filter(|f| f.severity == Level::Error)
        .collect();
    assert!(errors.is_empty(), "{errors:#?}");
    let request = Request {
        stage,
        format: Format::Text,
        room: room.map(str::to_owned),
        diff,
        within: None,
    };
    emit(db, root, &request).unwrap()
}

const GREENHOUSE: &str = r#"app: { id: greenhouse, version: 0.1.0 }
root: bench
hosts: [host.agent.task]
world:
  workdir: { type: string, default: "." }
  season: { type: string, default: spring }
toolboxes:
  garden_tools: { tools: [Read, Edit], effect: write }
agents:
  gardener: { system_prompt: "Tend the beds.", toolbox: garden_tools }
states:
  bench:
    description: "The potting bench."
    workbench:
      agent: gardener
      prompt: prompts/bench.md
      acceptance_schema: schemas/note.json
      context_args: { season: "{{ world.season }}" }
    on_enter:
      - say: "Welcome."
"#;

#[test]
fn a_workbench_becomes_gate_off_ramp_task_and_capture() {
    let db = story(&[("app.yaml", GREENHOUSE)]);
    insta::assert_snapshot!("workbench_desugared", show(&db, Stage::Desugared, Some("bench"), true));
    insta::assert_snapshot!("workbench_ir", show(&db, Stage::Ir, Some("bench"), true));
}

#[test]
fn a_capturing_off_ramp_becomes_an_intent_an_arc_and_a_sink() {
    let db = story(&[(
        "app.yaml",
        r#"app: { id: house, version: 0.1.0 }
root: porch
intents: { enter: {} }
states:
  porch:
    agent_off_ramp: { agent: story-explainer, capture_free_text: true }
    on: { enter: [{ target: hall }] }
  hall: { terminal: true }
"#,
    )]);
    insta::assert_snapshot!("capture", show(&db, Stage::Desugared, Some("porch"), true));
}

#[test]
fn the_fallback_is_copied_with_its_guards_and_another_target() {
    let db = story(&[(
        "app.yaml",
        r#"app: { id: inn, version: 0.1.0 }
root: hall
world: { closed: { type: bool, default: false } }
intents: { ask: { slots: { text: { type: string, required: true } } } }
routing: { free_form_fallback: { state: desk, intent: ask } }
states:
  hall: {}
  desk:
    on:
      ask:
        - { when: "world.closed", target: street, effects: [{ say: "Closed." }] }
        - { target: "." }
  street: { terminal: true }
"#,
    )]);
    insta::assert_snapshot!("fallback", show(&db, Stage::Desugared, Some("hall"), true));
}

#[test]
fn exits_and_interfaces_of_a_story_that_runs_by_itself() {
    let db = story(&[(
        "app.yaml",
        r#"app: { id: desk, version: 0.1.0 }
root: form
hosts: [host.run]
exits: { sent: {}, unused: {} }
host_interfaces: { ticket: { default: host.gh.ticket, operations: { get: { effect: read } } } }
intents: { send: {} }
states:
  form:
    on_enter: [{ invoke: iface.ticket.get }]
    on: { send: [{ target: "@exit:sent" }] }
"#,
    )]);
    insta::assert_snapshot!("exits_and_interfaces", show(&db, Stage::Ir, None, true));
}

/// What is stored can be read back, in both forms.
#[test]
fn a_compiled_story_survives_json_and_yaml() {
    let db = story(&[("app.yaml", GREENHOUSE)]);
    let ir = pipeline::lowered(&db, db.file(Utf8Path::new("/story/app.yaml")));
    let json = kitsoki_ir::Story::from_json(&ir.to_json().unwrap()).unwrap();
    assert_eq!(&json, ir.as_ref());
    let yaml = kitsoki_ir::Story::from_yaml(&ir.to_yaml().unwrap()).unwrap();
    assert_eq!(&yaml, ir.as_ref());
}

#[test]
fn values_of_the_environment_stay_out_of_what_is_printed() {
    let files = [(
        "/story/app.yaml",
        r#"app: { id: quay, version: 0.1.0 }
root: pier
agent_plugins: { agent.fast: { plugin: subprocess, command: bot, env: { KEY: "${QUAY_KEY}" } } }
providers: { house: { env: { TOKEN: "${QUAY_KEY}" } } }
agents: { hand: { system_prompt: "Help.", cwd: "${QUAY_KEY}/y" } }
meta_modes: { log: { trigger: log, agent: story-author, cwd: "$QUAY_KEY/x" } }
states: { pier: { terminal: true } }
"#,
    )];
    let system = MemorySystem::new(files);
    system.set_env("QUAY_KEY", "seven-secrets");
    let db = Database::new(Arc::new(system));
    for stage in [Stage::Surface, Stage::Folded, Stage::Desugared, Stage::Ir] {
        for format in [Format::Json, Format::Yaml, Format::Text] {
            let root = db.file(Utf8Path::new("/story/app.yaml"));
            let text = emit(
                &db,
                root,
                &Request {
                    stage,
                    format,
                    room: None,
                    diff: false,
                    within: None,
                },
            )
            .unwrap();
            assert!(!text.contains("seven-secrets"), "{stage:?} {format:?}");
        }
    }
}

/// What a file far away holds is not printed; its path is, so that whoever runs the story can read it.
#[test]
fn personas_of_files_outside_are_named_and_not_printed() {
    let text = r#"app: { id: quay, version: 0.1.0 }
root: pier
agents: { far: { system_prompt_path: ../secret.md }, near: { system_prompt_path: near.md } }
states: { pier: { terminal: true } }
"#;
    let db = story(&[("app.yaml", text), ("../secret.md", "canary"), ("near.md", "parrot")]);
    let root = db.file(Utf8Path::new("/story/app.yaml"));
    for stage in [Stage::Folded, Stage::Desugared, Stage::Ir] {
        for format in [Format::Json, Format::Yaml] {
            let within = Some("/story".into());
            let shown = emit(
                &db,
                root,
                &Request {
                    stage,
                    format,
                    room: None,
                    diff: false,
                    within,
                },
            )
            .unwrap();
            assert!(!shown.contains("canary"), "{shown}");
            assert!(shown.contains("/secret.md") && shown.contains("parrot"), "{shown}");
        }
    }
}

#[test]
fn a_room_that_does_not_exist_is_an_error_with_a_similar_name() {
    let db = story(&[("app.yaml", GREENHOUSE)]);
    let root = db.file(Utf8Path::new("/story/app.yaml"));
    for stage in [Stage::Desugared, Stage::Ir] {
        let request = Request {
            stage,
            format: Format::Json,
            room: Some("bemch".into()),
            diff: false,
            within: None,
        };
        let error = emit(&db, root, &request).unwrap_err();
        assert_eq!(error.to_string(), "no room is called `bemch`; `bench` is similar");
    }
}

#[test]
fn the_macros_change_nothing_the_second_time() {
    let db = story(&[("app.yaml", GREENHOUSE)]);
    let root = db.file(Utf8Path::new("/story/app.yaml"));
    let once = pipeline::story(&db, root);
    let room = |loaded: &kitsoki_compiler::Loaded| {
        let mut loaded = loaded.clone();
        // The block stays for the engine; the macro has done its work.
        for entry in loaded
            .manifest
            .states
            .iter_mut()
            .flat_map(|s| s.value.entries.iter_mut())
        {
            Arc::make_mut(&mut entry.value).workbench = None;
        }
        loaded
    };
    let again = kitsoki_compiler::desugar::expand(&db, &room(once));
    assert_eq!(room(&again).manifest, room(once).manifest);
}
