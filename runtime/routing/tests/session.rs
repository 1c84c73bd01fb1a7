//! A text that is heard by a session: what it submits, and what the log says of how it was routed.

mod told;

use std::sync::Arc;

use kitsoki_runtime::session::{Config, Heard};
use kitsoki_runtime::{NoFiles, Program, Session};
use told::{services, story};

const FERRY: &str = r#"
app: { id: ferry, version: "1" }
world: { aboard: { type: int, default: 0 } }
intents:
  board:
    title: Board
    synonyms: ["board {n} people", "everybody on board"]
    slots: { n: { type: int, required: true } }
  wait: { title: Wait, synonyms: ["wait a little"] }
  idle: { title: Idle, synonyms: ["little rest"] }
root: pier
states:
  pier:
    view: "{{ world.aboard }} aboard."
    on:
      board: [{ target: ".", effects: [{ increment: { aboard: 3 } }] }]
      wait: [{ target: "." }]
      idle: [{ target: "." }]
"#;

/// A session, and what it does about a text.
fn hear(text: &str) -> (Session, Heard) {
    let told = story(FERRY);
    let program = Program::new(told.program.story.clone(), Arc::new(NoFiles));
    let session = Session::new(Arc::new(program), Config::default());
    let heard = session.hear(&told.phrases, text, &services()).heard;
    (session, heard)
}

#[test]
fn a_text_that_was_routed_is_submitted_with_its_provenance() {
    let (mut session, heard) = hear("board three people");
    let Heard::Submit(input) = heard else {
        panic!("{heard:?}")
    };
    session.submit(*input).unwrap();
    assert_eq!(session.world().get("aboard").and_then(|v| v.as_int()), Some(3));
    let start = session.log().iter().find(|e| e.kind == "turn.start").unwrap();
    let said = |key: &str| {
        start
            .payload
            .get(key)
            .and_then(|v| v.as_str())
            .unwrap_or_default()
            .to_owned()
    };
    assert_eq!(said("input"), "board three people");
    assert_eq!(said("routed_by"), "semantic");
    assert_eq!(said("match_type"), "template:board {n} people");
}

#[test]
fn a_question_is_said_and_nothing_is_written_down() {
    let (session, heard) = hear("board some people");
    let Heard::Say(outcome) = heard else {
        panic!("{heard:?}")
    };
    assert_eq!(
        (outcome.mode.as_str(), outcome.missing_slots.join(",").as_str()),
        ("clarify", "n")
    );
    let (_, heard) = hear("little: rest, wait");
    let Heard::Say(outcome) = heard else {
        panic!("{heard:?}")
    };
    assert_eq!(outcome.error.map(|code| code.as_str()), Some("AMBIGUOUS_INTENT"));
    assert_eq!(outcome.allowed_intents, ["idle", "wait"]);
    assert!(session.log().is_empty());
}

#[test]
fn what_no_tier_takes_is_for_an_interpreter() {
    for text in ["sing", "everybody on board"] {
        let (_, heard) = hear(text);
        assert!(matches!(heard, Heard::Interpret), "{text}: {heard:?}");
    }
}
