//! One flow, three front ends: the flow runner, `drive --replay`, and the session as a library. They answer the same calls,
//! so they write the same trace.
#![expect(clippy::expect_used, clippy::panic, reason = "a test stops at the first surprise")]

use std::path::Path;
use std::sync::Arc;

use camino::Utf8Path;
use kitsoki_compiler::db::{Database, RealSystem};
use kitsoki_compiler::pipeline;
use kitsoki_runtime::gate::Gates;
use kitsoki_runtime::machine::Call;
use kitsoki_runtime::session::{Answer, Ask, HostAnswer, Input};
use kitsoki_runtime::trace::Encoder;
use kitsoki_runtime::{Config, Event, NoFiles, Program, Session};
use kitsoki_testing::fixture::{self, Flow};
use kitsoki_testing::rig::Rig;
use serde_json::Value as Json;
use support::{Folder, err, out};

mod support;

const STORY: &str = r#"
app: { id: inn, version: "1" }
root: bar
hosts: [host.agent.converse, host.chat.resolve]
agents: { host: { system_prompt: "You keep the inn.", effect: read } }
world:
  chat: { type: string, default: "" }
  reply: { type: string, default: "" }
intents:
  ask: { slots: { what: { type: string, required: true } } }
  leave: {}
states:
  bar:
    view: "{{ world.reply }}{{ world.last_error }}"
    on:
      ask:
        - target: .
          effects:
            - { invoke: host.chat.resolve, with: { app: inn, room: bar }, bind: { chat: chat_id } }
            - { invoke: host.agent.converse, with: { agent: host, chat_id: "{{ world.chat }}", question: "{{ slots.what }}" }, bind: { reply: answer } }
      leave: [{ target: out }]
  out: { terminal: true, view: "Out." }
"#;

const FLOW: &str = "
test_kind: flow
initial_state: bar
host_handlers:
  host.agent.converse: { data: { answer: 'We have soup.' } }
turns:
  - intent: { name: ask, slots: { what: 'What is there?' } }
    expect_view_matches: soup
  - intent: { name: leave }
    display_input: bye
    expect_state: out
";

/// A trace without its times.
fn timeless(text: &str) -> String {
    let line = |line: &str| {
        let mut event: Json = serde_json::from_str(line).expect("a line of JSON");
        event
            .as_object_mut()
            .expect("an object")
            .retain(|key, _| !matches!(key.as_str(), "ts" | "written_at"));
        format!("{event}\n")
    };
    text.lines().map(line).collect()
}

/// The same flow by the public interface of the session, with the handlers of the flow.
fn embedded(folder: &Path) -> String {
    let manifest = Utf8Path::from_path(folder).expect("UTF-8").join("app.yaml");
    let db = Database::new(Arc::new(RealSystem));
    let root = kitsoki_compiler::db::Db::file(&db, &manifest);
    let program = Arc::new(Program::new(
        Arc::clone(pipeline::lowered(&db, root)),
        Arc::new(NoFiles),
    ));
    let flow: Flow = fixture::load(&folder.join("flows/day.yaml"))
        .expect("a flow")
        .flows
        .remove(0);
    let mut rig = Rig::new(&program, &flow, None).expect("its handlers");
    let config = Config {
        session_id: "flow".into(),
        gates: Gates::Assume,
        ..Config::default()
    };
    let mut session = Session::new(Arc::clone(&program), config);
    session.seed(flow.initial_state.as_deref(), &flow.initial_world);
    let mut told: Vec<Event> = Vec::new();
    for turn in &flow.turns {
        rig.state = session.state().to_string();
        let call = Call {
            intent: turn.intent.clone().expect("an intent"),
            slots: turn.slots.clone(),
        };
        let shown = Some(turn.display_input.clone()).filter(|d| !d.is_empty());
        let mut step = session.submit(Input::Intent { call, shown }).expect("free");
        loop {
            told.append(&mut step.events);
            let Some(request) = step.requests.pop() else { break };
            let Ask::Call(call) = &request.what else {
                panic!("only calls: {request:?}");
            };
            let result = rig.answer(call, false).result;
            let answer = HostAnswer {
                result,
                ..HostAnswer::default()
            };
            step = session.resume(request.id, Answer::Host(answer));
        }
    }
    let mut encoder = Encoder::default();
    let lines: String = told.iter().map(|e| encoder.line(e, 5)).collect();
    Encoder::header(5) + &lines
}

#[test]
fn a_flow_writes_the_same_trace_through_every_front_end() {
    let folder = Folder::new(&[("app.yaml", STORY), ("flows/day.yaml", FLOW)]);
    let tested = folder.run(&["test", "flows", "app.yaml", "--trace-out", "tested.jsonl"]);
    assert_eq!(tested.status.code(), Some(0), "{}{}", out(&tested), err(&tested));
    let replayed = folder.run(&[
        "drive",
        "app.yaml",
        "--replay",
        "flows/day.yaml",
        "--trace",
        "replayed.jsonl",
    ]);
    assert_eq!(replayed.status.code(), Some(0), "{}", err(&replayed));
    let tested = timeless(&folder.read("tested.jsonl"));
    assert!(
        tested.contains("host.agent.converse") && tested.contains("We have soup."),
        "{tested}"
    );
    // The chat store is no stub of the flow: nothing stands behind it, wherever the flow is played.
    assert!(
        tested.contains("no handler registered for \\\"host.chat.resolve\\\""),
        "{tested}"
    );
    assert_eq!(tested, timeless(&folder.read("replayed.jsonl")));
    assert_eq!(tested, timeless(&embedded(folder.0.path())));
    let lines: Vec<Json> = out(&replayed)
        .lines()
        .map(|l| serde_json::from_str(l).expect("JSON"))
        .collect();
    assert_eq!(lines.len(), 3);
    let view = lines[1]["view"].as_str().expect("a view");
    assert!(view.starts_with("We have soup."), "{view}");
    assert_eq!(
        (&lines[2]["state"], &lines[2]["mode"]),
        (&"out".into(), &"completed".into())
    );
}

#[test]
fn a_replay_takes_one_flow_and_no_turns_of_its_own() {
    let two = format!("{FLOW}---\n{FLOW}");
    let folder = Folder::new(&[("app.yaml", STORY), ("flows/day.yaml", &two), ("t.jsonl", "")]);
    let several = folder.run(&["drive", "app.yaml", "--replay", "flows/day.yaml"]);
    assert_eq!(several.status.code(), Some(2));
    assert!(err(&several).contains("flows/day.yaml: 2 flows"), "{}", err(&several));
    let both = folder.run(&["drive", "app.yaml", "--replay", "flows/day.yaml", "--turns", "t.jsonl"]);
    assert_eq!(both.status.code(), Some(2), "{}", err(&both));
}

#[test]
fn a_headless_session_changes_nothing_from_a_read_only_room_unless_that_is_wanted() {
    let story = "
app: { id: shed, version: 0.1.0 }
root: door
hosts: [host.run]
intents: { go: {} }
states:
  door: { view: Door., on: { go: [{ target: shed }] } }
  shed:
    write_mode: read_only
    agent_off_ramp: true
    view: \"Shed. {{ world.last_error }}\"
    on_enter: [{ invoke: host.run, id: t, with: { cmd: 'touch made.txt' } }]
    on: { go: [{ target: door }] }
";
    let made = |options: &[&str], turn: &str| {
        let folder = Folder::new(&[("app.yaml", story), ("t.jsonl", turn)]);
        let mut all = vec!["drive", "app.yaml", "--turns", "t.jsonl"];
        all.extend(options);
        let result = folder.run(&all);
        assert_eq!(result.status.code(), Some(0), "{}", err(&result));
        let told = out(&result);
        assert!(told.contains("\"state\":\"shed\""), "{told}");
        (folder.path("made.txt").exists(), told.contains("not granted"))
    };
    let go = r#"{"intent": "go"}"#;
    let asked = r#"{"intent": "go", "operator": ["action"]}"#;
    assert_eq!(made(&[], go), (false, true));
    assert_eq!(made(&["--gates", "strict"], go), (false, true));
    assert_eq!(made(&["--gates", "assume"], go), (true, false));
    let refused = r#"{"intent": "go", "operator": []}"#;
    assert_eq!(made(&[], refused), (false, true));
    assert_eq!(made(&[], asked), (true, false));
}
