//! What went wrong elsewhere in the field, tried here: data that looks like a template, views that are shown too early.

use kitsoki_expr::Value;
use kitsoki_runtime::event::kind;
use kitsoki_runtime::gate::Gates;
use kitsoki_runtime::session::{HostResult, Mode};
use kitsoki_runtime::value::map;

use crate::support::{Driver, story};

const NOTE: &str = "x {% endraw %}{{ world.secret }} {% if %} {# {{ {%";

const STORY: &str = r#"
app: { id: desk, version: "1" }
root: a
hosts: [host.run, host.agent.ask]
world:
  note: { type: string, default: "" }
  out: { type: string, default: "" }
  twice: { type: string, default: "" }
  secret: { type: string, default: sesame }
intents:
  go: { description: Go. }
states:
  a:
    view: "A."
    on: { go: [{ target: b }] }
  b:
    on_enter:
      - { invoke: host.run, id: r, with: { cmd: "say {{ world.note }}" }, bind: { out: stdout } }
      - { set: { twice: "[{{ world.out }}]" } }
    view: "out={{ world.out }} note={{ world.note }} twice={{ world.twice }}"
    on: { go: [{ target: a }] }
"#;

/// A session in which data is what somebody else wrote.
fn with_note() -> Driver {
    let mut driver = Driver::new(&story(STORY, &[]), Gates::Strict)
        .answering(|_| HostResult::Done(Some(map([("stdout", Value::text(NOTE))]))));
    driver.session.seed(None, &[("note".into(), Value::text(NOTE))]);
    driver
}

#[test]
fn data_with_template_marks_is_shown_as_it_is() {
    let mut driver = with_note();
    let outcome = driver.go("go");
    assert_eq!(outcome.mode, Mode::Transitioned);
    assert!(
        outcome.view.starts_with(&format!("out={NOTE} note={NOTE} ")),
        "{}",
        outcome.view
    );
    assert!(!outcome.view.contains("sesame"), "{}", outcome.view);
    // In arguments too, and in what is bound and rendered once more.
    assert_eq!(
        driver.calls[0].args.get("cmd"),
        Some(&Value::text(format!("say {NOTE}")))
    );
    assert_eq!(driver.text("out"), NOTE);
    assert_eq!(driver.text("last_error"), "");
    let again = driver.session.machine().render("b", &driver.session.world()).unwrap();
    assert!(again.contains(NOTE) && !again.contains("sesame"), "{again}");
}

#[test]
fn a_view_is_rendered_after_what_it_shows_was_bound() {
    let mut driver = Driver::new(&story(STORY, &[]), Gates::Strict)
        .answering(|_| HostResult::Done(Some(map([("stdout", Value::text("7"))]))));
    let outcome = driver.go("go");
    assert!(outcome.view.starts_with("out=7 "), "{}", outcome.view);
    let at = |found: &dyn Fn(&kitsoki_runtime::Event) -> bool| driver.session.log().iter().position(found);
    let entered = at(&|e| e.kind == kind::ENTERED && e.text("state") == "b");
    let called = at(&|e| e.kind == kind::DISPATCHED);
    let bound = at(&|e| e.kind == kind::WORLD && e.payload.get("set").is_some_and(|s| s.get("out").is_some()));
    let shown = at(&|e| !e.text("view").is_empty());
    assert!(entered.is_some() && entered < called && called < bound && bound < shown);
    // Nothing shows a view in between: one event of the turn has one.
    let views: Vec<&str> = driver
        .session
        .log()
        .iter()
        .map(|e| e.text("view"))
        .filter(|v| !v.is_empty())
        .collect();
    assert_eq!(views, [outcome.view.as_str()]);
}
