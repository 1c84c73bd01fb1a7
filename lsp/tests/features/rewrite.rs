//! Macros written out, rooms made into phases: the compiled story is the same apart from where its parts come from.

use std::sync::Arc;

use camino::Utf8Path;
use kitsoki_compiler::db::{Database, Db as _, MemorySystem, SourceFile};
use kitsoki_compiler::{emit, pipeline};
use kitsoki_lsp::features::actions::{ActionKind, actions};
use serde_json::Value as Json;

use crate::fixture::{Fixture, fixture};

/// The compiled story without places, and without what a macro leaves of itself.
fn compiled(db: &Database, root: SourceFile, without: &[&str]) -> Json {
    let story = pipeline::lowered(db, root);
    let mut all: Json = serde_json::from_slice(&story.append_json(Vec::new()).unwrap()).unwrap();
    strip(&mut all, without);
    all
}

fn strip(value: &mut Json, without: &[&str]) {
    match value {
        Json::Object(map) => {
            map.retain(|key, _| {
                !["at", "made", "provenance"].contains(&key.as_str()) && !without.contains(&key.as_str())
            });
            map.values_mut().for_each(|v| strip(v, without));
        }
        Json::Array(items) => items.iter_mut().for_each(|v| strip(v, without)),
        _ => {}
    }
}

/// The compiled story as lines for people without the remarks about where they come from: what is declared, sorted, and every
/// room by path.
fn lines(db: &Database, root: SourceFile) -> Vec<String> {
    let story = pipeline::lowered(db, root);
    let text = |room: Option<String>| {
        let request = emit::Request {
            stage: emit::Stage::Ir,
            format: emit::Format::Text,
            room,
            diff: false,
            within: None,
        };
        let text = emit::emit(db, root, &request).unwrap();
        let lines = text
            .lines()
            .map(|l| l.split(" ; ").next().unwrap().trim_end().to_owned());
        lines.collect::<Vec<String>>()
    };
    let mut all = text(None);
    let mut rooms: Vec<String> = story
        .states
        .pairs()
        // Above a room stands what its macros made elsewhere.
        .map(|(_, state)| text(Some(state.path.to_string())))
        .map(|lines| {
            lines
                .into_iter()
                .skip_while(|l| !l.starts_with("room "))
                .collect::<Vec<_>>()
                .join("\n")
        })
        .collect();
    all.sort();
    rooms.sort();
    all.extend(rooms);
    all
}

fn said(db: &Database, root: SourceFile) -> Vec<String> {
    let mut all: Vec<String> = pipeline::findings(db, root)
        .into_iter()
        .map(|f| format!("{} {}", f.rule, f.message))
        .collect();
    all.sort();
    all
}

/// The story of a workspace after the rewrite of a kind, and before it.
struct Rewritten {
    text: String,
    before: (Database, SourceFile),
    after: (Database, SourceFile),
}

/// The files of a workspace in a database of their own.
fn database(text: &str) -> (Database, SourceFile) {
    // A fixture needs a cursor: behind the last word it changes nothing.
    let f = fixture(&format!("{text}$0"));
    let files: Vec<(String, String)> = f
        .files
        .iter()
        .map(|p| (p.to_string(), f.snapshot.text(f.file(p.as_str())).to_string()))
        .collect();
    let system = MemorySystem::new(files.iter().map(|(p, t)| (p.as_str(), t.as_str())));
    let db = Database::new(Arc::new(system));
    let root = db.file(Utf8Path::new("/s/app.yaml"));
    (db, root)
}

fn offered(f: &Fixture, kind: ActionKind) -> Vec<String> {
    let all = actions(&f.snapshot, f.at.file, f.selection);
    all.into_iter().filter(|a| a.kind == kind).map(|a| a.title).collect()
}

#[track_caller]
fn rewritten(text: &str, kind: ActionKind) -> Rewritten {
    let f = fixture(text);
    let all = actions(&f.snapshot, f.at.file, f.selection);
    let Some(action) = all.into_iter().find(|a| a.kind == kind) else {
        panic!("nothing is offered");
    };
    let plain = text.replace("$0", "");
    let plain = if plain.starts_with("//- ") {
        plain
    } else {
        format!("//- /s/app.yaml\n{plain}")
    };
    let edited = f.edited(&action.edits);
    let edited = if edited.starts_with("//- ") {
        edited
    } else {
        format!("//- /s/app.yaml\n{edited}")
    };
    Rewritten {
        before: database(&plain),
        after: database(&edited),
        text: edited,
    }
}

const BENCH: &str = "\
//- /s/p.md
hi
//- /s/s.json
{}
//- /s/app.yaml
app: { id: a, version: 0.1.0 }
root: pier
hosts: [host.agent.task]
world: { workdir: { type: string, default: . } }
toolboxes: { t: { tools: [Write], effect: write } }
agents: { w: { system_prompt: x, toolbox: t } }
include: [rooms/*.yaml]
//- /s/rooms/pier.yaml
states:
  pier:
    description: A pier.
    work$0bench:
      agent: w
      prompt: p.md
      acceptance_schema: s.json
      context_args: { tide: '{{ world.workdir }}' }
    view: 'x' # a view
    on:
      look: [{ target: . }]
  dock: { terminal: true }
intents:
  look: {}
";

#[test]
fn a_workbench_is_what_an_author_could_have_written() {
    let done = rewritten(BENCH, ActionKind::Inline);
    assert!(!done.text.contains("workbench:"), "{}", done.text);
    assert!(
        done.text.contains(
            "    description: A pier.\n    write_mode: read_only\n    agent_off_ramp:\n      agent: w\n    default_intent: pier_capture\n    on_enter:\n      - when: \"world.pier_request != ''\"\n        invoke: host.agent.task\n"
        ),
        "{}",
        done.text
    );
    assert!(done.text.contains(
        "    view: 'x' # a view\n    on:\n      look: [{ target: . }]\n      pier_capture:\n        - target: pier\n"
    ));
    let (before, after) = (&done.before, &done.after);
    assert_eq!(said(&before.0, before.1), said(&after.0, after.1));
    assert_eq!(lines(&before.0, before.1), lines(&after.0, after.1));
}

#[test]
fn the_compiled_story_of_a_written_out_workbench_differs_by_its_signal_only() {
    let one_file = BENCH
        .replace("include: [rooms/*.yaml]\n//- /s/rooms/pier.yaml\n", "")
        .replace("intents:\n  look: {}\n", "")
        .replace("world: {", "intents: { look: {} }\nworld: {");
    let done = rewritten(&one_file, ActionKind::Inline);
    let (before, after) = (&done.before, &done.after);
    let without = ["workbench"];
    assert_eq!(
        compiled(&before.0, before.1, &without),
        compiled(&after.0, after.1, &without)
    );
    assert_ne!(compiled(&before.0, before.1, &[]), compiled(&after.0, after.1, &[]));
}

#[test]
fn what_the_author_has_of_a_workbench_already_stays() {
    let own = BENCH
        .replace("    on:\n", "    on_enter: [{ say: Hello. }]\n    on:\n      pier_capture: [{ target: pier, effects: [{ set: { pier_request: '{{ slots.request }}' } }] }]\n")
        .replace("  look: {}\n", "  look: {}\n  pier_capture: { slots: { request: { type: string, required: true } } }\n");
    let done = rewritten(&own, ActionKind::Inline);
    assert_eq!(done.text.matches("pier_capture:").count(), 2, "{}", done.text);
    assert!(
        done.text.contains("on_enter: [{ say: Hello. }, {\"when\""),
        "{}",
        done.text
    );
    let (before, after) = (&done.before, &done.after);
    assert_eq!(lines(&before.0, before.1), lines(&after.0, after.1));
}

#[test]
fn a_workbench_that_others_import_is_not_written_out() {
    // Under an import a written key is reset when the story is entered, a made one is not.
    let importer = "//- /t/app.yaml\napp: { id: t, version: 1.0.0 }\nroot: k\nimports: { k: { source: ../s } }\nstates: { e: {} }\n";
    let f = fixture(&format!("{importer}{BENCH}"));
    assert_eq!(offered(&f, ActionKind::Inline), [""; 0]);
    assert_eq!(
        offered(&fixture(BENCH), ActionKind::Inline),
        ["write out the workbench of `pier` (only its signal at the end of a turn is lost)"]
    );
}

#[test]
fn captured_free_text_is_an_intent_with_an_arc() {
    for ramp in [
        "agent_off_ramp: { capture$0_free_text: true }",
        "agent_off_ramp:\n      banner: Hi\n      capture_$0free_text: true",
    ] {
        let text = format!(
            "app: {{ id: a, version: 0.1.0 }}\nroot: pier\nintents:\n  look: {{}}\nstates:\n  pier:\n    {ramp}\n    on: {{ look: [{{ target: . }}] }}\n"
        );
        let done = rewritten(&text, ActionKind::Inline);
        assert!(!done.text.contains("capture_free_text"), "{}", done.text);
        assert!(done.text.contains("default_intent: pier_discuss\n"), "{}", done.text);
        let (before, after) = (&done.before, &done.after);
        let without = ["capture_free_text"];
        assert_eq!(
            compiled(&before.0, before.1, &without),
            compiled(&after.0, after.1, &without)
        );
        assert_eq!(said(&before.0, before.1), said(&after.0, after.1));
    }
}

#[test]
fn the_shipped_phases_are_the_rooms_of_their_template() {
    let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/../stories/pipeline/");
    let mut text = String::new();
    for file in ["app.yaml", "phases.yaml", "rooms/desk.yaml", "rooms/endings.yaml"] {
        if let Ok(part) = std::fs::read_to_string(format!("{dir}{file}")) {
            text.push_str(&format!("//- /s/{file}\n{part}"));
        }
    }
    let text = text.replace("\nphases:\n", "\npha$0ses:\n");
    let done = rewritten(&text, ActionKind::Inline);
    assert!(!done.text.contains("{{ tpl.command }}"), "{}", done.text);
    assert!(!done.text.contains("checkpoint_intents"), "{}", done.text);
    assert!(done.text.contains("\n  lint_awaiting_reply:\n"), "{}", done.text);
    let (before, after) = (&done.before, &done.after);
    assert_eq!(lines(&before.0, before.1), lines(&after.0, after.1));
    assert_eq!(said(&before.0, before.1), said(&after.0, after.1));
}

const ALIKE: &str = "\
app: { id: a, version: 0.1.0 }
root: wash_executing
intents: { done: {}, onward: {} }
world: { wash_log: { type: string, default: '' }, dry_log: { type: string, default: '' } }
hosts: [host.run]
states:
  $0wash_executing:
    description: \"Washing\" # with water
    on_enter:
      - invoke: host.run
        with: { cmd: 'machine wash' }
        bind: { wash_log: stdout }
        on_error: wash_error
    on:
      done: [{ target: wash_error, when: world.wash_log != '' }]
      onward: [{ target: dry_executing }]
  wash_error:
    view: |
      The wash failed.
      {{ world.wash_log }}
    on: { onward: [{ target: wash_executing }] }

  dry_executing:
    description: \"Drying\"
    on_enter:
      - invoke: host.run
        with: { cmd: 'machine dry' }
        bind: { dry_log: stdout }
        on_error: dry_error
    on:
      done: [{ target: dry_error, when: world.dry_log != '' }]
      onward: [{ target: ended }]
  dry_error:
    view: |
      The dry failed.
      {{ world.dry_log }}
    on: { onward: [{ target: dry_executing }] }
$0  ended: { terminal: true }
";

#[test]
fn rooms_that_are_alike_become_phases() {
    let done = rewritten(ALIKE, ActionKind::Extract);
    let expected = "states:\n\n  ended: { terminal: true }\n\nphase_templates:\n  step:\n    parameters:\n      id: { type: string, required: true }\n      description: { type: string, required: true }\n      target: { type: string, required: true }\n    states:\n      \"{id}_executing\":\n        description: \"{{ tpl.description }}\" # with water\n        on_enter:\n          - invoke: host.run\n            with: { cmd: 'machine {{ tpl.id }}' }\n            bind: { \"{{ tpl.id }}_log\": stdout }\n            on_error: \"{{ tpl.id }}_error\"\n        on:\n          done: [{ target: \"{{ tpl.id }}_error\", when: \"world.{{ tpl.id }}_log != ''\" }]\n          onward: [{ target: \"{{ tpl.target }}\" }]\n      \"{id}_error\":\n        view: |\n          The {{ tpl.id }} failed.\n          {{ world.{{ tpl.id }}_log }}\n        on: { onward: [{ target: \"{{ tpl.id }}_executing\" }] }\n\nphases:\n  template: step\n  graph:\n    wash:\n      description: \"Washing\"\n      target: \"dry_executing\"\n    dry:\n      description: \"Drying\"\n      target: \"ended\"\n";
    let (_, text) = done.text.split_at(done.text.find("states:").unwrap());
    assert_eq!(text, expected);
    let (before, after) = (&done.before, &done.after);
    assert_eq!(lines(&before.0, before.1), lines(&after.0, after.1));
    assert_eq!(said(&before.0, before.1), said(&after.0, after.1));
}

#[test]
fn one_room_becomes_a_template_with_one_use() {
    let text = ALIKE
        .replace("$0wash_executing:", "wash_exe$0cuting:")
        .replace("\n$0  ended", "\n  ended");
    let done = rewritten(&text, ActionKind::Extract);
    assert!(done.text.contains("      \"{id}_executing\":\n"), "{}", done.text);
    assert!(done.text.contains("\n    wash: {}\n"), "{}", done.text);
    let (before, after) = (&done.before, &done.after);
    assert_eq!(lines(&before.0, before.1), lines(&after.0, after.1));
}

#[test]
fn what_a_template_cannot_say_is_not_extracted() {
    let refused = |text: &str| {
        let f = fixture(text);
        assert_eq!(offered(&f, ActionKind::Extract), [""; 0], "{text}");
    };
    // A template drops `once`, cannot compute a number, and has one shape for all.
    refused(&ALIKE.replace("        with: {", "        once: true\n        with: {"));
    refused(&ALIKE.replace("description: \"Drying\"", "timeout: { after: 3s, target: ended }"));
    refused(
        &ALIKE
            .replace("cmd: 'machine dry'", "cmd: 'machine dry', timeout: 3")
            .replace("cmd: 'machine wash'", "cmd: 'machine wash', timeout: 4"),
    );
    refused(&ALIKE.replace("intents:", "phase_templates: {}\nintents:"));
    refused(
        &ALIKE
            .replace("$0wash_executing:", "wash_executing:")
            .replace("description: \"Washing\"", "descr$0iption: \"Washing\"")
            .replace("\n$0  ended", "\n  ended"),
    );
}
