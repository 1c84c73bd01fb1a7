//! The write-mode gate: what changes something in a read-only room waits for a grant, whatever the call and wherever the
//! turn goes on to.

use kitsoki_expr::Value;
use kitsoki_ir::EffectClass::{self, External, Write};
use kitsoki_runtime::gate::{Gates, Scope};
use kitsoki_runtime::session::{HostResult, Input};
use kitsoki_runtime::value::map;

use crate::support::{Driver, at, intent_of, story};

const SCRIPT: &[(&str, &str)] = &[
    ("s.star", "def main(ctx):\n    return {}\n"),
    ("out.json", r#"{ "type": "object" }"#),
    ("s.star.yaml", "inputs: {}\noutputs: {}\n"),
];

/// Two rooms, one of them read-only. `go` makes a call on the way out of `here` and ends in `there`.
fn rooms(here: &str, there: &str, call: &str) -> String {
    format!(
        r#"
app: {{ id: gates, version: "1" }}
root: here
hosts: [host.run, host.git, host.git.diff, host.git.push, host.gh.ticket, host.starlark.run, host.agent.task, host.agent.converse, host.agent.ask, host.agent.decide, host.artifacts_dir, host.chat.list, host.nobody.knows]
world:
  got: {{ type: string, default: "" }}
agents:
  looker: {{ system_prompt: Look., tools: [Read], effect: read }}
  maker: {{ system_prompt: Make., tools: [Read, Write], effect: write }}
  poster: {{ system_prompt: Post., tools: [Read, WebFetch], effect: external }}
intents:
  go: {{ description: Go. }}
  back: {{ description: Back. }}
  done: {{ description: Done. }}
states:
  here:
    description: Here.
    mode: conversational
    write_mode: {here}
    view: Here.
    on:
      go:
        - target: there
          effects:
            - {call}
  there:
    description: There.
    mode: conversational
    write_mode: {there}
    view: There.
    on:
      back: [{{ target: here }}]
  failed:
    description: Failed.
    view: Failed.
    on:
      back: [{{ target: here }}]
"#
    )
}

/// Calls, and what the gate takes them for: `None` lets them pass without a question.
fn classes() -> Vec<(&'static str, &'static str, Option<EffectClass>)> {
    vec![
        ("host.run", r#"{ cmd: "git status" }"#, Some(Write)),
        ("host.artifacts_dir", "{ name: out }", Some(Write)),
        ("host.starlark.run", "{ script: s.star }", Some(Write)),
        ("host.git", "{ op: diff }", None),
        ("host.git", "{ op: commit }", Some(Write)),
        ("host.git", "{ op: push }", Some(External)),
        ("host.git", r#"{ op: "{{ 'pu' + 'sh' }}" }"#, Some(External)),
        ("host.git", "{ op: rewrite }", Some(External)),
        ("host.git.diff", "{}", None),
        ("host.git.push", "{}", Some(External)),
        // The operation of the arguments is the one that a handler runs.
        ("host.git.diff", "{ op: push }", Some(External)),
        ("host.gh.ticket", "{ op: get }", None),
        ("host.gh.ticket", "{ op: comment }", Some(External)),
        ("host.chat.list", "{}", None),
        ("host.nobody.knows", "{}", Some(External)),
        ("host.agent.ask", "{ agent: looker, prompt: Look }", None),
        ("host.agent.decide", "{ agent: looker, prompt: Look }", None),
        (
            "host.agent.task",
            "{ agent: looker, acceptance: { schema: out.json } }",
            None,
        ),
        (
            "host.agent.task",
            "{ agent: looker, acceptance: { schema: out.json }, tools: [Bash] }",
            Some(Write),
        ),
        (
            "host.agent.task",
            "{ agent: looker, acceptance: { schema: out.json }, tools: [WebFetch] }",
            Some(External),
        ),
        (
            "host.agent.task",
            "{ agent: maker, acceptance: { schema: out.json } }",
            Some(Write),
        ),
        (
            "host.agent.task",
            // The load refuses this agent in a read-only room where it can read its name.
            r#"{ agent: "{{ 'post' + 'er' }}", acceptance: { schema: out.json } }"#,
            Some(External),
        ),
        (
            "host.agent.task",
            r#"{ agent: "{{ 'mak' + 'er' }}", acceptance: { schema: out.json } }"#,
            Some(Write),
        ),
        ("host.agent.converse", "{ agent: looker, prompt: Look }", None),
        ("host.agent.converse", "{ agent: maker, prompt: Make }", Some(Write)),
    ]
}

#[test]
fn every_class_of_call_is_judged_by_the_room_that_declares_it() {
    for (verb, with, class) in classes() {
        for background in [false, true] {
            let job = if background { ", background: true" } else { "" };
            let call = format!("{{ invoke: {verb}, with: {with}, bind: {{ got: out }}{job} }}");
            let name = format!("{verb} {with} background: {background}");

            // In a read-only room whose turn ends in an open one.
            let locked = story(&rooms("read_only", "open", &call), SCRIPT);
            let mut driver = Driver::new(&locked, Gates::Ask);
            assert_eq!(at(&driver.go("go")), "there", "{name}");
            let asked = class.map(|class| ("here".into(), verb.into(), class));
            assert_eq!(driver.asked, Vec::from_iter(asked), "{name}");
            assert_eq!(driver.verbs().len(), usize::from(class.is_none()), "{name}");
            assert_eq!(driver.text("last_error").is_empty(), class.is_none(), "{name}");

            let mut driver = Driver::new(&locked, Gates::Strict);
            driver.go("go");
            assert_eq!(driver.verbs().len(), usize::from(class.is_none()), "{name}");

            // In an open room whose turn ends in a read-only one.
            let open = story(&rooms("open", "read_only", &call), SCRIPT);
            let mut driver = Driver::new(&open, Gates::Strict);
            driver.go("go");
            assert_eq!((driver.verbs(), driver.asked.len()), (vec![verb], 0), "{name}");
            let request = driver
                .calls
                .first()
                .or(driver.jobs.first().map(|(_, call)| call))
                .unwrap();
            assert_eq!((request.may_write, request.reach), (true, External), "{name}");
        }
    }
}

#[test]
fn a_call_without_a_grant_does_not_happen_and_counts_as_failed() {
    for background in [false, true] {
        let call = format!(
            "{{ invoke: host.run, with: {{ cmd: make }}, bind: {{ got: stdout }}, on_error: failed, background: {background} }}"
        );
        let program = story(&rooms("read_only", "open", &call), SCRIPT);
        for (gates, by) in [(Gates::Strict, "headless_denied"), (Gates::Ask, "operator")] {
            let mut driver = Driver::new(&program, gates);
            let outcome = driver.go("go");
            assert_eq!(at(&outcome), "failed");
            assert!(driver.verbs().is_empty() && driver.session.jobs().is_empty());
            let error = "host.run: not granted: state \"here\" is read-only and the call may change files";
            assert_eq!(driver.text("last_error"), error);
            assert_eq!(
                driver
                    .session
                    .world()
                    .get("host_error")
                    .and_then(|e| e.get("namespace")),
                Some(&Value::text("host.run"))
            );
            assert_eq!(driver.text("got"), "");
            assert!(outcome.view.contains(error), "{}", outcome.view);
            assert_eq!(
                driver.told("machine.write_mode_granted"),
                [format!(
                    r#"{{"action":"host.run","by":"{by}","effect":"write","granted":false,"state":"here"}}"#
                )]
            );
            // The session goes on.
            assert_eq!(at(&driver.go("back")), "here");
        }
    }
}

#[test]
fn without_on_error_the_turn_ends_where_it_led() {
    let call = "{ invoke: host.run, with: { cmd: make }, background: true }";
    let mut driver = Driver::new(&story(&rooms("read_only", "open", call), SCRIPT), Gates::Strict);
    assert_eq!(at(&driver.go("go")), "there");
    assert_eq!(driver.session.world().text("last_job_id"), "");
    assert!(driver.text("last_error").contains("not granted"));
    assert!(driver.told("scheduler.submitted").is_empty());
}

#[test]
fn an_assumed_grant_is_written_down_also_for_a_job() {
    for (background, kind) in [(false, "harness.dispatched"), (true, "scheduler.submitted")] {
        let call = format!("{{ invoke: host.run, with: {{ cmd: make }}, background: {background} }}");
        let mut driver = Driver::new(&story(&rooms("read_only", "open", &call), SCRIPT), Gates::Assume);
        driver.go("go");
        assert_eq!(driver.verbs(), ["host.run"]);
        let told = driver.told(kind);
        assert!(
            told[0].contains(r#""gate":{"effect":"write","granted":"assumed","state":"here"}"#),
            "{told:?}"
        );
    }
}

/// A room that does one thing per intent and stays.
const BENCH: &str = r#"
app: { id: bench, version: "1" }
root: bench
hosts: [host.run, host.git.push, host.agent.ask]
agents:
  looker: { system_prompt: Look., tools: [Read], effect: read }
intents:
  make: { description: Make. }
  twice: { description: Make two things. }
  push: { description: Push. }
  ask: { description: Ask. }
  rest: { description: Rest. }
  start: { description: Start. }
states:
  bench:
    description: The bench.
    mode: conversational
    write_mode: read_only
    view: Bench.
    on:
      make: [{ target: ., effects: [{ invoke: host.run, with: { cmd: make } }] }]
      twice: [{ target: ., effects: [{ invoke: host.run, with: { cmd: one } }, { invoke: host.run, with: { cmd: two } }] }]
      push: [{ target: ., effects: [{ invoke: host.git.push }] }]
      ask: [{ target: ., effects: [{ invoke: host.agent.ask, with: { agent: looker, prompt: Look } }] }]
      rest: [{ target: . }]
      start:
        - target: .
          effects:
            - invoke: host.agent.ask
              with: { agent: looker, prompt: Look }
              background: true
              on_complete:
                - invoke: host.run
                  with: { cmd: after }
"#;

#[test]
fn a_grant_for_an_action_covers_one_call() {
    let grants = [Some(Scope::Action), None, Some(Scope::Action)];
    let mut driver = Driver::new(&story(BENCH, &[]), Gates::Ask).granting(&grants);
    driver.go("twice");
    assert_eq!((driver.verbs(), driver.asked.len()), (vec!["host.run"], 2));
    driver.go("make");
    assert_eq!((driver.verbs(), driver.asked.len()), (vec!["host.run", "host.run"], 3));
    assert_eq!(driver.text("write_mode_scope"), "");
}

#[test]
fn a_grant_for_a_turn_ends_when_the_next_one_begins() {
    let grants = [Some(Scope::Turn), None, Some(Scope::Turn)];
    let mut driver = Driver::new(&story(BENCH, &[]), Gates::Ask).granting(&grants);
    driver.go("twice");
    assert_eq!((driver.calls.len(), driver.asked.len()), (2, 1));
    assert_eq!(driver.text("write_mode_scope"), "turn");
    assert_eq!(
        driver.told("machine.write_mode_granted"),
        [r#"{"action":"host.run","by":"operator","effect":"write","granted":true,"scope":"turn","state":"bench"}"#]
    );
    driver.go("make");
    assert_eq!((driver.calls.len(), driver.asked.len()), (2, 2));
    assert_eq!(driver.text("write_mode_scope"), "");
    // A refused turn is a turn, too.
    driver.go("make");
    assert_eq!(driver.text("write_mode_scope"), "turn");
    driver.go("no_such_intent");
    assert_eq!(driver.text("write_mode_scope"), "");
}

#[test]
fn a_grant_for_a_turn_does_not_reach_the_turns_that_the_engine_makes() {
    let program = story(BENCH, &[]);
    let reload = Input::Reload { force: false };
    let jump = Input::Teleport {
        to: "bench".into(),
        slots: map([]),
        job: "".into(),
        proposal: "".into(),
    };
    for input in [reload, jump] {
        let mut driver = Driver::new(&program, Gates::Ask).granting(&[Some(Scope::Turn)]);
        driver.go("make");
        driver.submit(input);
        assert_eq!(driver.text("write_mode_scope"), "");
    }
    let mut driver = Driver::new(&program, Gates::Ask).granting(&[Some(Scope::Turn), None]);
    driver.go("start");
    driver.go("make");
    assert_eq!(driver.text("write_mode_scope"), "turn");
    driver.end_job(HostResult::Done(Some(map([("submitted", Value::Bool(true))]))));
    assert_eq!(driver.text("write_mode_scope"), "");
    assert_eq!(driver.asked.len(), 2, "what follows the job asks again");
    assert_eq!(driver.verbs(), ["host.run"]);
}

#[test]
fn a_grant_for_the_session_stays_and_never_covers_what_reaches_outside() {
    let grants = [Some(Scope::Session), Some(Scope::Session), None];
    let mut driver = Driver::new(&story(BENCH, &[]), Gates::Ask).granting(&grants);
    driver.go("make");
    driver.go("rest");
    driver.go("twice");
    assert_eq!((driver.calls.len(), driver.asked.len()), (3, 1));
    driver.go("push");
    driver.go("push");
    assert_eq!((driver.calls.len(), driver.asked.len()), (4, 3));
    assert!(driver.told("machine.write_mode_granted")[1].contains(r#""scope":"action""#));
    assert_eq!(driver.text("write_mode_scope"), "session");
}

#[test]
fn a_grant_for_what_reaches_outside_opens_nothing_else() {
    let grants = [Some(Scope::Session), None];
    let mut driver = Driver::new(&story(BENCH, &[]), Gates::Ask).granting(&grants);
    driver.go("push");
    assert_eq!(driver.text("write_mode_scope"), "");
    driver.go("make");
    assert_eq!((driver.verbs(), driver.asked.len()), (vec!["host.git.push"], 2));
}

#[test]
fn a_driver_is_told_how_far_a_call_may_reach() {
    let grants = [Some(Scope::Action), Some(Scope::Action), Some(Scope::Session)];
    let mut driver = Driver::new(&story(BENCH, &[]), Gates::Ask).granting(&grants);
    for intent in ["ask", "make", "push", "make", "ask"] {
        driver.go(intent);
    }
    let told: Vec<_> = driver.calls.iter().map(|c| (c.may_write, c.reach.as_str())).collect();
    assert_eq!(
        told,
        [
            (false, "read"),
            (true, "write"),
            (true, "external"),
            (true, "write"),
            (true, "write")
        ]
    );
}

#[test]
fn a_grant_survives_a_replay_with_its_scope() {
    for (scope, stays) in [(Scope::Turn, false), (Scope::Session, true)] {
        let program = story(BENCH, &[]);
        let mut driver = Driver::new(&program, Gates::Ask).granting(&[Some(scope)]);
        driver.go("make");
        let config = kitsoki_runtime::Config {
            gates: Gates::Ask,
            ..Default::default()
        };
        let log = driver.session.log().to_vec();
        let session = kitsoki_runtime::Session::replay(program.clone(), config, log).unwrap();
        let mut again = Driver::over(session);
        assert_eq!(again.text("write_mode_scope"), scope.as_str());
        again.go("make");
        assert_eq!(again.calls.len(), usize::from(stays));
    }
}

#[test]
fn a_scope_that_a_fixture_sets_stays() {
    let mut driver = Driver::new(&story(BENCH, &[]), Gates::Strict);
    driver
        .session
        .seed(None, &[("write_mode_scope".into(), Value::text("turn"))]);
    driver.go("make");
    driver.go("make");
    assert_eq!(driver.calls.len(), 2);
    driver.go("push");
    assert_eq!(driver.calls.len(), 2);
    let close = vec![("write_mode_scope".into(), Value::text(""))];
    driver.submit(Input::Override(close));
    driver.go("make");
    assert_eq!(driver.calls.len(), 2);
}

/// Rooms that hand on: a step in a read-only room, a proof in an open one; and what happens around them.
const PLAN: &str = r#"
app: { id: plan, version: "1" }
root: desk
hosts: [host.run, host.agent.ask]
agents:
  looker: { system_prompt: Look., tools: [Read], effect: read }
world:
  note: { type: string, default: "" }
intents:
  accept: { description: Accept. }
  prove: { description: Prove., hidden: true }
  lock: { description: Lock., hidden: true }
  tidy: { description: Tidy. }
  fail: { description: Fail. }
  wait: { description: Wait. }
  inner: { description: In. }
states:
  desk:
    description: The desk.
    view: Desk.
    on:
      accept: [{ target: applying }]
      tidy: [{ target: tidying }]
      fail: [{ target: ., effects: [{ invoke: host.agent.ask, with: { agent: looker, prompt: Fail }, on_error: rescue }] }]
      wait: [{ target: waiting }]
      inner: [{ target: outer.inner }]
  applying:
    description: The step.
    mode: conversational
    write_mode: read_only
    view: Applying.
    on_enter:
      - { invoke: host.run, with: { cmd: step }, bind: { note: stdout } }
      - emit_intent: prove
    on:
      prove: [{ target: proving }]
  proving:
    description: The proof.
    view: Proving.
    on_enter:
      - { invoke: host.run, with: { cmd: proof } }
  tidying:
    description: Tidies.
    view: Tidying.
    on_enter:
      - { invoke: host.run, with: { cmd: tidy } }
      - emit_intent: lock
    on:
      lock: [{ target: locked }]
  locked:
    description: Locked.
    mode: conversational
    write_mode: read_only
    view: Locked.
  rescue:
    description: Where failures lead.
    mode: conversational
    write_mode: read_only
    view: Rescue.
    on_enter:
      - { invoke: host.run, with: { cmd: rescue } }
  waiting:
    description: Waits.
    view: Waiting.
    timeout: { after: 1s, target: late }
  late:
    description: Too late.
    mode: conversational
    write_mode: read_only
    view: Late.
    on_enter:
      - { invoke: host.run, with: { cmd: late } }
  outer:
    description: A room with rooms.
    type: compound
    initial: inner
    mode: conversational
    write_mode: read_only
    states:
      inner:
        description: Says nothing of changes itself.
        view: Inner.
        type: compound
        initial: core
        on_enter:
          - { invoke: host.run, with: { cmd: inner } }
        states:
          core:
            description: The innermost.
            view: Core.
            on_enter:
              - { invoke: host.run, with: { cmd: core } }
"#;

/// The commands that went out.
fn commands(driver: &Driver) -> Vec<&str> {
    let cmd = |c: &'_ kitsoki_runtime::session::HostRequest| c.args.get("cmd").and_then(Value::as_str).is_some();
    driver
        .calls
        .iter()
        .filter(|c| cmd(c))
        .filter_map(|c| c.args.get("cmd").and_then(Value::as_str))
        .collect()
}

#[test]
fn the_step_of_a_plan_is_held_in_a_room_that_hands_on() {
    let program = story(PLAN, &[]);
    let mut driver = Driver::new(&program, Gates::Strict);
    assert_eq!(at(&driver.go("accept")), "proving");
    assert_eq!(commands(&driver), ["proof"]);
    assert!(driver.text("last_error").contains("state \"applying\" is read-only"));

    let mut driver = Driver::new(&program, Gates::Ask).granting(&[Some(Scope::Action)]);
    driver.go("accept");
    assert_eq!(commands(&driver), ["step", "proof"]);
    assert_eq!(driver.asked, [("applying".into(), "host.run".into(), Write)]);
    assert_eq!(driver.calls[0].declared_in, "applying");
}

#[test]
fn an_open_room_is_not_walled_in_by_the_room_after_it() {
    let mut driver = Driver::new(&story(PLAN, &[]), Gates::Strict);
    assert_eq!(at(&driver.go("tidy")), "locked");
    assert_eq!(commands(&driver), ["tidy"]);
}

#[test]
fn rooms_that_failures_and_timeouts_lead_to_are_judged() {
    let program = story(PLAN, &[]);
    let mut driver = Driver::new(&program, Gates::Strict).answering(|_| HostResult::Infra("the line is dead".into()));
    assert_eq!(at(&driver.go("fail")), "rescue");
    assert_eq!((driver.verbs(), commands(&driver).len()), (vec!["host.agent.ask"], 0));

    let mut driver = Driver::new(&program, Gates::Strict);
    driver.go("wait");
    let step = driver.session.advance(2_000);
    driver.drive(step);
    assert_eq!(driver.session.state(), "late");
    assert!(driver.verbs().is_empty());
}

#[test]
fn rooms_inside_of_a_read_only_room_are_read_only() {
    let mut driver = Driver::new(&story(PLAN, &[]), Gates::Ask);
    assert_eq!(at(&driver.go("inner")), "outer.inner.core");
    let rooms: Vec<_> = driver.asked.iter().map(|(room, ..)| room.as_str()).collect();
    assert_eq!(rooms, ["outer.inner", "outer.inner.core"]);
    assert!(driver.verbs().is_empty());
}

#[test]
fn what_follows_a_job_is_judged_by_the_room_that_started_it() {
    // The job is declared in the read-only room, and the session rests in an open one when it ends; and the reverse.
    let after = "{ invoke: host.agent.ask, with: { agent: looker, prompt: Look }, background: true, \
                 on_complete: [{ invoke: host.run, with: { cmd: after } }] }";
    for (here, there, goes) in [("read_only", "open", 0), ("open", "read_only", 1)] {
        let mut driver = Driver::new(&story(&rooms(here, there, after), SCRIPT), Gates::Strict);
        assert_eq!(at(&driver.go("go")), "there");
        driver.end_job(HostResult::Done(Some(map([("submitted", Value::Bool(true))]))));
        assert_eq!(driver.calls.len(), goes, "{here}");
        assert_eq!(driver.session.state(), "there");
    }
}

#[test]
fn a_session_that_was_stopped_at_the_question_asks_again() {
    let program = story(BENCH, &[]);
    let mut driver = Driver::new(&program, Gates::Ask).granting(&[Some(Scope::Action)]);
    let step = driver.session.submit(intent_of("make", map([]))).unwrap();
    let question = step.requests[0].id;
    driver.session.cancel();
    let late = driver
        .session
        .resume(question, kitsoki_runtime::session::Answer::Grant(Some(Scope::Session)));
    assert!(late.events.is_empty() && late.requests.is_empty());
    assert_eq!(driver.text("write_mode_scope"), "");
    driver.go("make");
    assert_eq!((driver.asked.len(), driver.calls.len()), (1, 1));
}

const SMITHY: &str = r#"
app: { id: bench, version: "1" }
root: bench
hosts: [host.agent.task, host.agent.codeact, host.run]
agents:
  smith: { system_prompt: "You forge.", effect: write }
  reader: { system_prompt: "You read.", effect: read }
world: { x: { type: any, default: "" } }
intents: { task: {}, code: {}, look: {}, run: {} }
states:
  bench:
    write_mode: read_only
    agent_off_ramp: true
    view: "Bench."
    on:
      task: [{ target: ., effects: [{ invoke: host.agent.task, with: { agent: smith, context: { prompt: Go. }, acceptance: { schema: s.json } } }] }]
      code: [{ target: ., effects: [{ invoke: host.agent.codeact, with: { agent: reader, goal: g, capabilities: { fs: { write: ["*"] } } } }] }]
      look: [{ target: ., effects: [{ invoke: host.agent.codeact, with: { agent: reader, goal: g, capabilities: { fs: { read: ["*"] }, http: false } } }] }]
      run: [{ target: ., effects: [{ invoke: host.run, with: { cmd: x } }] }]
"#;

#[test]
fn a_wall_lets_agents_run_without_their_changes_and_nothing_else() {
    let program = story(SMITHY, &[("s.json", "{}")]);
    let config = kitsoki_runtime::Config {
        gates: Gates::Strict,
        walled_agents: true,
        ..kitsoki_runtime::Config::default()
    };
    let mut driver = Driver::with(&program, config);
    driver.go("task");
    assert_eq!(driver.verbs(), ["host.agent.task"]);
    assert!(!driver.calls[0].may_write && driver.calls[0].reach == kitsoki_ir::EffectClass::Read);
    for (intent, reaches) in [("run", false), ("code", false), ("look", true)] {
        let before = driver.calls.len();
        driver.go(intent);
        assert_eq!(driver.calls.len() > before, reaches, "{intent}");
    }
    // Without a wall the agent that may change things is not run either.
    let mut driver = Driver::new(&program, Gates::Strict);
    driver.go("task");
    assert!(driver.calls.is_empty() && driver.text("last_error").contains("not granted"));
}
