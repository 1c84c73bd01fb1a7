//! Ways in which a story could try to grant itself changes: none of them reaches the scope of the gate.

use kitsoki_expr::Value;
use kitsoki_runtime::gate::Gates;
use kitsoki_runtime::session::{HostResult, Input};
use kitsoki_runtime::value::map;

use crate::support::{Driver, refused, story};

const THIEF: &str = r#"
app: { id: thief, version: "1" }
root: bench
hosts: [host.run, host.chat.list]
world:
  write_mode_scope: { type: string, default: session }
  draft: { type: object, default: {} }
  n: { type: int, default: 0 }
intents:
  make: { description: Make. }
  bind: { description: Bind. }
  bind_template: { description: Bind. }
  raise: { description: Raise. }
  after: { description: After a job. }
  job: { description: A job whose id goes there. }
  edit: { description: Edit. }
  publish: { description: Publish. }
  publish_all: { description: Publish. }
  save: { description: Save. }
  loop: { description: Once more., hidden: true }
states:
  bench:
    description: The bench.
    mode: conversational
    write_mode: read_only
    view: Bench.
    on:
      make: [{ target: ., effects: [{ invoke: host.run, with: { cmd: make } }] }]
      bind: [{ target: ., effects: [{ invoke: host.chat.list, bind: { write_mode_scope: word, n: n } }] }]
      bind_template: [{ target: ., effects: [{ invoke: host.chat.list, bind: { write_mode_scope: "{{ 'session' }}" } }] }]
      raise: [{ target: ., effects: [{ increment: { write_mode_scope: 1 } }] }]
      after:
        - target: .
          effects:
            - invoke: host.chat.list
              background: true
              bind: { write_mode_scope: job_id }
              on_complete:
                - set: { write_mode_scope: session, n: 7 }
                - invoke: host.run
                  with: { cmd: after }
      job: [{ target: ., effects: [{ invoke: host.chat.list, background: true, bind: { write_mode_scope: job_id } }] }]
      edit: [{ target: editor }]
  editor:
    description: Edits.
    mode: conversational
    write_mode: read_only
    view: Editor.
    operation: { scope: edit }
    on:
      publish: [{ target: bench, effects: [{ commit_operation: { world: { write_mode_scope: session, n: 3 } } }] }]
      publish_all: [{ target: bench, effects: [{ invoke: host.chat.list, bind: { write_mode_scope: word } }, { commit_operation: {} }] }]
      save: [{ target: bench, effects: [{ persist_draft: { id: one, world: [write_mode_scope] } }] }]
"#;

/// A driver whose every answer names the scope.
fn thief() -> Driver {
    Driver::new(&story(THIEF, &[]), Gates::Strict)
        .answering(|_| HostResult::Done(Some(map([("word", Value::text("session")), ("n", Value::Int(5))]))))
}

/// The scope is empty, no event of the log says otherwise, and nothing goes through.
#[track_caller]
fn closed(driver: &mut Driver) {
    assert_eq!(driver.text("write_mode_scope"), "");
    for event in driver.session.log() {
        let writes = ["set", "increment", "world_patch"]
            .map(|how| event.payload.get(how).and_then(|m| m.get("write_mode_scope")));
        assert!(writes.iter().all(Option::is_none), "{event:?}");
    }
    let before = driver.verbs().iter().filter(|v| **v == "host.run").count();
    driver.go("make");
    assert_eq!(driver.verbs().iter().filter(|v| **v == "host.run").count(), before);
    assert!(driver.text("last_error").contains("not granted"));
}

#[test]
fn a_declared_default_opens_nothing() {
    closed(&mut thief());
}

#[test]
fn binds_and_increments_do_not_reach_the_scope() {
    for intent in ["bind", "bind_template", "raise", "job"] {
        let mut driver = thief();
        driver.go(intent);
        closed(&mut driver);
    }
    let mut driver = thief();
    driver.go("bind");
    assert_eq!(
        driver.session.world().get("n"),
        Some(&Value::Int(5)),
        "the bind beside it counts"
    );
}

#[test]
fn the_end_of_a_job_does_not_reach_the_scope() {
    let mut driver = thief();
    driver.go("after");
    driver.end_job(HostResult::Done(None));
    assert_eq!(driver.session.world().get("n"), Some(&Value::Int(7)), "the effects ran");
    assert!(driver.calls.is_empty());
    closed(&mut driver);
}

#[test]
fn an_overlay_does_not_publish_the_scope() {
    for intent in ["publish", "publish_all", "save"] {
        let mut driver = thief();
        driver.go("edit");
        driver.go(intent);
        assert_eq!(driver.session.state(), "bench", "{intent}");
        closed(&mut driver);
    }
}

#[test]
fn a_jump_does_not_bring_the_scope() {
    let mut driver = thief();
    driver.submit(Input::Teleport {
        to: "bench".into(),
        slots: map([("write_mode_scope", Value::text("session")), ("n", Value::Int(9))]),
        job: "".into(),
        proposal: "".into(),
    });
    assert_eq!(driver.session.world().get("n"), Some(&Value::Int(9)));
    closed(&mut driver);
}

/// An import whose child has a key of that name: projections in and out are effects like any other.
#[test]
fn projections_of_an_import_do_not_bring_the_scope() {
    let parent = r#"
app: { id: parent, version: "1" }
root: home
imports:
  shed:
    source: ./child
    entry: shop
    world_in: { word: "{{ world.word }}", write_mode_scope: "{{ world.word }}" }
    exits:
      out: { to: home, set: { write_mode_scope: "{{ world.shed__word }}" } }
hosts: [host.run]
world:
  word: { type: string, default: session }
intents:
  visit: { description: Visit. }
  make: { description: Make. }
states:
  home:
    description: Home.
    mode: conversational
    write_mode: read_only
    view: Home.
    on:
      visit: [{ target: shed }]
      make: [{ target: ., effects: [{ invoke: host.run, with: { cmd: make } }] }]
"#;
    let child = r#"
app: { id: child, version: "1" }
root: shop
hosts: [host.run]
world:
  word: { type: string, default: session }
exits:
  out: { description: Out. }
intents:
  leave: { description: Leave. }
  make: { description: Make. }
states:
  shop:
    description: The shop.
    mode: conversational
    write_mode: read_only
    view: Shop.
    type: compound
    initial: corner
    states:
      corner:
        description: A corner.
        view: Corner.
        on:
          make: [{ target: ., effects: [{ invoke: host.run, with: { cmd: make } }] }]
    on:
      leave: [{ target: "@exit:out" }]
"#;
    let mut driver = Driver::new(&refused(parent, &[("child/app.yaml", child)]), Gates::Strict);
    driver.go("visit");
    assert_eq!(driver.session.state(), "shed.shop.corner");
    closed_in(&mut driver, "make");
    driver.go("shed__leave");
    assert_eq!(driver.session.state(), "home");
    closed_in(&mut driver, "make");
}

#[track_caller]
fn closed_in(driver: &mut Driver, intent: &str) {
    driver.go(intent);
    assert!(driver.verbs().is_empty());
    assert_eq!(driver.text("write_mode_scope"), "");
}
