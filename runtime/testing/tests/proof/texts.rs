//! Texts that no word of the story fits: who is asked, what comes of the answer, and what is written down.

use kitsoki_expr::{Map, Value};
use kitsoki_runtime::event::kind;
use kitsoki_runtime::fault::Code;
use kitsoki_runtime::gate::Gates;
use kitsoki_runtime::machine::Call;
use kitsoki_runtime::session::{HostRequest, HostResult, Input, Mode, Outcome, Provenance, Said};
use kitsoki_runtime::value::map;
use kitsoki_runtime::{Config, Session};

use crate::support::{Driver, alike, intent_of, story};

const HOUSE: &str = r#"
app: { id: house, title: "The house", version: "1" }
root: hall
hosts: [host.agent.converse]
agents: { guide: { system_prompt: "You guide.", effect: write } }
off_path: { persona: "You are the house." }
world:
  lamp: { type: string, default: lit }
  secret: { type: string, default: sesame }
  got: { type: string, default: "" }
intents:
  look:
    description: Look at a thing.
    examples: ["peer under the mat"]
    slots:
      where: { type: string, required: true, description: the thing }
      times: { type: int }
  shut: { title: Shut the door }
  up: {}
states:
  hall:
    description: The entrance.
    view: "Hall."
    on:
      look: [{ target: ., effects: [{ set: { got: "{{ slots.where }}" } }] }]
      shut: [{ target: ., when: "world.lamp == 'out'", guard_hint: "It is stuck." }]
      up: [{ target: porch }]
  porch:
    description: Where guests wait.
    write_mode: read_only
    view: "Porch."
    relevant_world: [lamp]
    agent_off_ramp: { agent: guide }
    on: { up: [{ target: lane }] }
  lane:
    view: "Lane."
    agent_off_ramp: { persona: "You are a ghost.", capture_free_text: true }
    on: { up: [{ target: hall }] }
"#;

fn house() -> Driver {
    let config = Config {
        gates: Gates::Strict,
        hashes: true,
        ..Config::default()
    };
    Driver::with(&story(HOUSE, &[]), config).answering(answer)
}

fn answer(call: &HostRequest) -> HostResult {
    let said = match call.verb.as_str() {
        "host.chat.resolve" => ("chat_id", Value::text("c1")),
        _ => ("answer", Value::text("Nobody.")),
    };
    HostResult::Done(Some(map([said])))
}

fn value(intent: &str, slots: Map) -> Said {
    Said::Value(map([("intent", Value::text(intent)), ("slots", Value::Map(slots))]))
}

impl Driver {
    /// Has a text interpreted, with these answers of the interpreter.
    fn types(&mut self, text: &str, said: impl IntoIterator<Item = Said>) -> Outcome {
        self.said.extend(said);
        let outcomes = self.submit(Input::Text { text: text.into() });
        assert!(self.said.is_empty(), "nobody asked");
        outcomes.into_iter().next_back().expect("the turn ends")
    }

    fn kinds(&self) -> Vec<&str> {
        self.session.log().iter().map(|e| e.kind.as_str()).collect()
    }
}

/// The log leads to the session, and the trace tells the same events.
#[track_caller]
fn sound(driver: &Driver) {
    let log = driver.session.log().to_vec();
    let again = Session::replay(driver.session.program().clone(), Config::default(), log).unwrap();
    assert!(alike(&again, &driver.session));
    assert_eq!(again.turn(), driver.session.turn());
    assert_eq!(driver.trace.len(), driver.session.log().len());
}

#[test]
fn a_text_becomes_the_intent_that_a_model_names() {
    let mut driver = house();
    let outcome = driver.types("peer under it", [value("look", map([("where", Value::text("mat"))]))]);
    assert_eq!((outcome.mode, outcome.view.as_str()), (Mode::Transitioned, "Hall."));
    assert_eq!(driver.text("got"), "mat");
    assert_eq!(
        driver.session.world().get("session_cost_usd"),
        Some(&Value::Float(0.25))
    );
    assert_eq!(
        driver.kinds()[..3],
        [kind::TURN_INPUT, kind::TURN_START, kind::TOOL_CALL]
    );
    let start = &driver.session.log()[1];
    assert_eq!((start.text("routed_by"), start.payload.get("direct")), ("llm", None));
    let asked = &driver.texts[0];
    for told in [
        "Look at a thing.",
        "peer under the mat",
        "The house (house)",
        "where (string), needed: the thing",
    ] {
        assert!(asked.instructions.contains(told), "{told}: {}", asked.instructions);
    }
    for told in [
        "Room: hall",
        "The entrance.",
        "Hall.",
        "look, shut, up",
        "peer under it",
    ] {
        assert!(asked.prompt.contains(told), "{told}: {}", asked.prompt);
    }
    let intent = asked.schema.get("properties").and_then(|p| p.get("intent")).unwrap();
    assert!(
        intent
            .get("enum")
            .unwrap()
            .as_list()
            .unwrap()
            .iter()
            .any(|n| n.as_str() == Some("shut"))
    );
    sound(&driver);
}

#[test]
fn earlier_texts_are_told_and_what_came_by_a_menu_is_not() {
    let mut driver = house();
    driver.types("peer under it", [value("look", map([("where", Value::text("mat"))]))]);
    driver.go_with("look", map([("where", Value::text("vase"))]));
    driver.types("shut it", [value("shut", Map::new())]);
    driver.types("go up there", [value("up", Map::new())]);
    let prompt = &driver.texts[2].prompt;
    assert!(prompt.contains("turn 3: \"shut it\" → shut: rejected"), "{prompt}");
    assert!(
        prompt.contains("turn 1: \"peer under it\" → look, now in hall"),
        "{prompt}"
    );
    assert!(!prompt.contains("turn 2") && !prompt.contains("[intent]"), "{prompt}");
}

#[test]
fn the_machine_has_the_last_word() {
    let mut driver = house();
    let stuck = driver.types("shut it", [value("shut", Map::new())]);
    assert_eq!(
        (stuck.mode, stuck.guard_hint.as_str()),
        (Mode::Rejected, "It is stuck.")
    );
    let foreign = driver.types("fly", [value("fly", Map::new())]);
    assert_eq!(foreign.error, Some(Code::IntentNotAllowed));
    let unclear = driver.types("look", [value("look", map([("times", Value::Int(2))]))]);
    assert_eq!((unclear.mode, unclear.intent.as_deref()), (Mode::Clarify, Some("look")));
    assert_eq!(unclear.missing_slots, ["where"]);
    // What was known is kept by whoever asks, and comes back with the rest.
    let mut slots = unclear.slots.unwrap();
    slots.insert("where", Value::text("lamp"));
    let call = Call {
        intent: "look".into(),
        slots: Some(slots),
    };
    driver.submit(Input::Continue { call });
    assert_eq!(driver.text("got"), "lamp");
    let start = driver
        .session
        .log()
        .iter()
        .rfind(|e| e.kind == kind::TURN_START)
        .unwrap();
    assert_eq!(start.payload.get("clarify"), Some(&Value::Bool(true)));
    assert_eq!(
        driver.session.world().get("session_cost_usd"),
        Some(&Value::Float(0.75))
    );
    sound(&driver);
}

#[test]
fn an_answer_that_is_none_is_asked_for_again_three_times_in_all() {
    let broken = || Said::Value(map([("intent", Value::Int(3))]));
    let mut driver = house();
    let outcome = driver.types("hm", [broken(), broken(), value("up", Map::new())]);
    assert_eq!(outcome.state, "porch");
    assert!(!driver.texts[0].prompt.contains("could not be used"));
    assert!(driver.texts[2].prompt.contains("could not be used: `intent` must be"));
    let mut driver = house();
    let outcome = driver.types("hm", [broken(), broken(), broken()]);
    assert_eq!((outcome.mode, outcome.state.as_str()), (Mode::Failed, "hall"));
    // Nothing happened but that it cost something.
    assert!(driver.kinds().iter().all(|k| *k == kind::WORLD), "{:?}", driver.kinds());
    sound(&driver);
}

#[test]
fn words_alone_are_a_refusal_where_no_agent_answers() {
    let mut driver = house();
    let outcome = driver.types("hm?", [Said::Words("  What do you mean?  ".into())]);
    assert_eq!(
        (outcome.mode, outcome.error),
        (Mode::Rejected, Some(Code::Clarification))
    );
    assert_eq!(outcome.message, "What do you mean?");
    let stock = driver.types("hm?", [Said::Words(" ".into())]);
    assert!(stock.message.starts_with("I did not understand"), "{}", stock.message);
    let failed = driver.types("hm?", [Said::Failed("the line is dead".into())]);
    assert_eq!(
        (failed.mode, failed.message.as_str()),
        (Mode::Failed, "the line is dead")
    );
    assert!(driver.calls.is_empty());
    sound(&driver);
}

#[test]
fn the_off_ramp_answers_and_nothing_of_the_story_moves() {
    let mut driver = house();
    driver.go("up");
    let before = driver.session.world();
    let outcome = driver.types("who lives here?", [Said::Words("What?".into())]);
    assert_eq!((outcome.mode, outcome.view.as_str()), (Mode::OffPath, "Nobody."));
    assert_eq!(outcome.state, "porch");
    assert!(outcome.allowed_intents.iter().any(|i| i == "up"));
    let converse = &driver.calls[1];
    let text = |key: &str| {
        converse
            .args
            .get(key)
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned()
    };
    assert_eq!((text("agent").as_str(), text("chat_id").as_str()), ("guide", "c1"));
    let room = text("room_context");
    for told in [
        "The house (house), room porch",
        "Where guests wait.",
        "- up",
        "- lamp: lit",
    ] {
        assert!(room.contains(told), "{told}: {room}");
    }
    assert!(!room.contains("sesame"), "{room}");
    // A read-only room holds the answering agent to reading, without anybody having been asked.
    assert!(!converse.may_write && driver.asked.is_empty());
    let told: Vec<(u64, &str)> = driver
        .session
        .log()
        .iter()
        .skip(1)
        .map(|e| (e.turn, e.kind.as_str()))
        .collect();
    let told: Vec<_> = told.into_iter().filter(|(_, k)| k.contains("off_path")).collect();
    assert_eq!(
        told,
        [
            (2, kind::OFF_PATH_ENTERED),
            (3, kind::OFF_PATH_QUESTION),
            (3, kind::OFF_PATH_ANSWER)
        ]
    );
    let mut after = driver.session.world();
    for key in ["session_cost_usd", "turn_cost_usd"] {
        after.vars.insert(key, before.get(key).cloned().unwrap_or(Value::Nil));
    }
    assert_eq!(after.get("lamp"), before.get("lamp"));
    sound(&driver);
}

#[test]
fn an_off_ramp_that_fails_leaves_the_refusal() {
    let mut driver = house().answering(|_| HostResult::Infra("hoarse".into()));
    driver.go("up");
    let outcome = driver.types("who?", [Said::Words("What?".into())]);
    assert_eq!((outcome.mode, outcome.message.as_str()), (Mode::Rejected, "What?"));
    let kinds = driver.kinds();
    assert!(kinds.contains(&kind::OFF_PATH_QUESTION) && !kinds.contains(&kind::OFF_PATH_ANSWER));
    // Nobody keeps conversations either: the question is asked without one.
    assert_eq!(driver.calls[1].args.get("chat_id"), None);
    sound(&driver);
}

#[test]
fn a_lane_answers_what_is_said_to_it_and_fixtures_pass_by() {
    let mut driver = house();
    driver.go("up");
    driver.go("up");
    let say = |message: &str| Input::Direct {
        call: Call {
            intent: "lane_discuss".into(),
            slots: Some(map([("message", Value::text(message))])),
        },
        text: String::new(),
        provenance: Provenance::default(),
    };
    let outcomes = driver.submit(say("who?"));
    assert_eq!(
        (outcomes[0].mode, outcomes[0].view.as_str()),
        (Mode::OffPath, "Nobody.")
    );
    let voice = driver.calls[1].args.get("system_prompt").and_then(Value::as_str);
    assert_eq!(voice, Some("You are a ghost."));
    assert_eq!(driver.submit(say("  "))[0].mode, Mode::Transitioned);
    let calls = driver.calls.len();
    let fixture = intent_of("lane_discuss", map([("message", Value::text("who?"))]));
    assert_eq!(driver.submit(fixture)[0].mode, Mode::Transitioned);
    assert_eq!(driver.calls.len(), calls);
    sound(&driver);
}

#[test]
fn a_question_off_the_path_is_answered_by_the_house() {
    let mut driver = house();
    let outcomes = driver.submit(Input::Aside {
        text: "what is this?".into(),
    });
    assert_eq!(
        (outcomes[0].mode, outcomes[0].view.as_str()),
        (Mode::OffPath, "Nobody.")
    );
    assert_eq!(
        driver.calls[1].args.get("system_prompt").and_then(Value::as_str),
        Some("You are the house.")
    );
    assert_eq!(driver.kinds().last(), Some(&kind::OFF_PATH_EXITED));
    sound(&driver);
}
