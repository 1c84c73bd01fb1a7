//! Every tier: what it takes, what it leaves, and what comes after it.

mod told;

use kitsoki_expr::{Map, Value};
use kitsoki_routing::cache::Entry;
use kitsoki_routing::services::{Agents, Answer, ContextAnswer, Embedding, ExtractAnswer, Vectors};
use kitsoki_routing::{Readiness, Services, TurnCache};
use told::{services, story};

const ORCHARD: &str = r#"
app: { id: orchard, version: "1" }
world:
  ladder: { type: bool, default: false }
intents:
  pick:
    title: Pick
    synonyms: ["pick {n} {what} apples", "pick {n} apples", "gather apples"]
    slots:
      n: { type: int, required: true }
      what: { type: enum, values: [red, green] }
  climb: { title: Climb, examples: ["up the tree"] }
  rest: { title: Rest, synonyms: ["take a rest", "sit down"], examples: ["sit under the tree"] }
  sing: { title: Sing, synonyms: ["sing a song"], slots: { song: { type: string } } }
  note: { title: Note, slots: { text: { type: string, required: true } } }
root: grove
states:
  grove:
    view: Trees.
    on:
      pick: [{ target: grove }]
      climb: [{ when: world.ladder, guard_hint: "There is no ladder.", target: grove }]
      rest: [{ target: grove }]
      sing: [{ target: grove }]
  shed:
    view: Tools.
    default_intent: note
    on:
      note: [{ target: shed }]
      rest: [{ target: grove }]
"#;

#[test]
fn a_phrase_is_its_content_words_in_any_order() {
    let told = story(ORCHARD);
    for text in ["take a rest", "Resting, please, take one!", "rest: I take it"] {
        assert_eq!(
            told.say(text),
            "semantic: submit rest [synonym:take a rest] 0.90",
            "{text}"
        );
    }
    assert_eq!(told.say("rezt"), "interpreter: interpreter");
    assert_eq!(told.say(""), "interpreter: interpreter");
}

#[test]
fn a_text_may_say_six_words_more_than_a_phrase() {
    let told = story(ORCHARD);
    assert_eq!(
        told.say("sit down now old friend here by shade while")
            .split_once(':')
            .unwrap()
            .0,
        "semantic"
    );
    assert_eq!(
        told.say("sit down now old friend here by shade while waiting"),
        "interpreter: interpreter"
    );
}

#[test]
fn of_two_phrases_the_exact_text_or_else_the_first_word_decides() {
    let told = story(ORCHARD);
    assert_eq!(
        told.say("Sit  under the TREE"),
        "semantic: submit rest [example:sit under the tree] 0.90"
    );
    assert_eq!(
        told.say("up, sit under tree"),
        "semantic: submit climb [leading-verb:up] 0.90"
    );
    assert_eq!(told.say("tree: up, sit under"), "semantic: ambiguous climb,rest");
}

#[test]
fn a_match_that_loses_content_is_passed_on() {
    let told = story(ORCHARD);
    assert_eq!(
        told.say("sing a song"),
        "semantic: submit sing [synonym:sing a song] 0.90"
    );
    assert_eq!(
        told.say("sing the apple song"),
        "interpreter: interpreter after sing:content"
    );
    assert_eq!(
        told.say("gather apples"),
        "interpreter: interpreter after pick:required-slot"
    );
}

#[test]
fn a_template_reads_slots() {
    let told = story(ORCHARD);
    assert_eq!(
        told.say("pick three apples"),
        r#"semantic: submit pick {"n":3} [template:pick {n} apples] 0.80"#
    );
    assert_eq!(
        told.say("pick 12 ripe red apples, please"),
        r#"semantic: submit pick {"n":12} [template:pick {n} apples] 0.80"#,
        "nothing stands between two captures, so the longer template never fits"
    );
    assert_eq!(
        told.say("pick many apples"),
        "semantic: clarify pick ?n [template_partial:pick {n} apples] 0.65"
    );
}

#[test]
fn the_bars_of_the_story_move_the_bands() {
    let told = story(&ORCHARD.replace(
        "world:",
        "routing: { semantic_high_bar: 0.95, semantic_mid_bar: 0.7 }\nworld:",
    ));
    assert_eq!(told.say("sit down"), "semantic: clarify rest ? [synonym:sit down] 0.90");
    assert_eq!(
        told.say("pick many apples"),
        "interpreter: interpreter after pick:near-miss"
    );
}

#[test]
fn free_text_goes_to_the_sink_of_the_room_untouched() {
    let told = story(ORCHARD);
    let shed = told.at("shed");
    let say = |text: &str| told.say_at(&shed, text, &services());
    assert_eq!(
        say(" Mend  the roof "),
        r#"default: submit note {"text":" Mend  the roof "} [free_text]"#
    );
    assert_eq!(say("sit down"), "semantic: submit rest [synonym:sit down] 0.90");
}

#[test]
fn the_menu_answers_alone_when_the_stack_is_off() {
    let told = story(ORCHARD);
    let off = Services {
        switch: Some(false),
        ..services()
    };
    let grove = told.begin();
    let say = |text: &str| told.say_at(&grove, text, &off);
    assert_eq!(say(" REST "), "deterministic: submit rest [display]");
    assert_eq!(say("sit under the tree"), "deterministic: submit rest [example]");
    assert_eq!(say("take a rest"), "interpreter: interpreter");
    assert_eq!(say("climb"), "interpreter: interpreter", "the row is blocked");
    let ladder = told.with("grove", "ladder", Value::Bool(true));
    assert_eq!(
        told.say_at(&ladder, "climb", &off),
        "deterministic: submit climb [display]"
    );
    assert_eq!(
        told.say_at(&told.at("shed"), "anything", &off),
        r#"default: submit note {"text":"anything"} [free_text]"#
    );
}

#[test]
fn classifying_asks_the_menu_first() {
    let told = story(ORCHARD);
    let grove = told.begin();
    assert_eq!(
        told.verdict(&grove, "rest").as_deref(),
        Some("rest [deterministic:display] 1.00")
    );
    assert_eq!(
        told.verdict(&grove, "gather apples").as_deref(),
        Some("pick [synonym:gather apples] 0.90")
    );
    assert_eq!(told.verdict(&grove, "nothing at all"), None);
}

#[test]
fn a_broken_template_switches_phrases_off_and_nothing_else() {
    let told = story(&ORCHARD.replace("take a rest", "take {a rest"));
    assert!(matches!(told.phrases.readiness(), Readiness::Broken(error) if error.intent == "rest"));
    assert_eq!(told.say("sit down"), "interpreter: interpreter");
    let sunk = told.say_at(&told.at("shed"), "sit down", &services());
    assert_eq!(sunk, r#"default: submit note {"text":"sit down"} [free_text]"#);
}

fn cached(told: &told::Told, text: &str, intent: &str, state: &str) -> TurnCache {
    let mut cache = TurnCache::default();
    let entry = Entry {
        intent: intent.into(),
        slots: Map::new(),
        confidence: 0.7,
    };
    cache.put(state, told.phrases.lexer().signature(text), entry, 0);
    cache
}

#[test]
fn the_cache_answers_for_the_same_words_in_the_same_state() {
    let told = story(ORCHARD);
    let cache = cached(&told, "lie in the grass", "rest", "grove");
    let with = Services {
        cache: Some(&cache),
        ..services()
    };
    let grove = told.begin();
    assert_eq!(
        told.say_at(&grove, "Grass! Lie in it", &with),
        "turncache: submit rest 0.70"
    );
    assert_eq!(told.say_at(&grove, "lie in the hay", &with), "interpreter: interpreter");
    assert_eq!(
        told.say_at(&told.at("shed"), "lie in the grass", &with)
            .split_once(':')
            .unwrap()
            .0,
        "default"
    );
}

#[test]
fn an_entry_that_the_machine_refuses_counts_a_strike() {
    let told = story(ORCHARD);
    let cache = cached(&told, "up we go", "climb", "grove");
    let with = Services {
        cache: Some(&cache),
        ..services()
    };
    let used =
        |place: &kitsoki_runtime::Standing<'_>| match kitsoki_routing::route(&told.phrases, place, "up we go", &with) {
            kitsoki_routing::Routed::Decided(decision) => decision.cache.map(|used| used.good),
            kitsoki_routing::Routed::Ask(_) => None,
        };
    assert_eq!(used(&told.begin()), Some(false));
    assert_eq!(used(&told.with("grove", "ladder", Value::Bool(true))), Some(true));
}

const MODELS: &str = r#"
app: { id: lamp, version: "1" }
routing: { extract_llm_on_no_match: true, semantic_mid_bar: 0.6 }
world:
  desk: { type: object, default: {} }
intents:
  shine: { title: Shine, synonyms: ["make light"] }
  accept_plan: { title: Yes }
  work: { title: Work, slots: { text: { type: string, required: true } } }
root: room
states:
  room:
    view: Dark.
    contextual_routing: { enabled: true, room_chat: shine, pending_plan_path: desk.plan }
    on:
      shine: [{ target: room }]
      accept_plan: [{ target: room }]
      work: [{ target: room }]
"#;

fn agents<'a>(context: Answer<ContextAnswer>, extract: Answer<ExtractAnswer>) -> Services<'a> {
    Services {
        agents: Some(Agents { context, extract }),
        ..services()
    }
}

fn extracted(intent: &str, confidence: f64) -> Answer<ExtractAnswer> {
    Answer::Given(ExtractAnswer {
        intent: intent.into(),
        confidence,
    })
}

#[test]
fn models_are_asked_in_order_and_only_after_the_phrases() {
    let told = story(MODELS);
    let room = told.begin();
    let say = |services: &Services<'_>| told.say_at(&room, "hello", services);
    assert_eq!(
        say(&services()),
        "interpreter: interpreter",
        "without agents nobody is asked"
    );
    assert_eq!(say(&agents(Answer::Unasked, Answer::Unasked)), "ask context");
    assert_eq!(say(&agents(Answer::Failed, Answer::Unasked)), "ask intent");
    assert_eq!(say(&agents(Answer::Failed, Answer::Failed)), "interpreter: interpreter");
    let unasked = agents(Answer::Unasked, Answer::Unasked);
    assert_eq!(
        told.say_at(&room, "make light", &unasked),
        "semantic: submit shine [synonym:make light] 0.90"
    );
}

#[test]
fn the_contextual_router_submits_allowed_intents_alone() {
    let told = story(MODELS);
    let room = told.begin();
    let answer = |class: &str, intent: &str| {
        let answer = ContextAnswer {
            class: class.into(),
            intent: intent.into(),
            confidence: 7.0,
            ..ContextAnswer::default()
        };
        told.say_at(&room, "hello", &agents(Answer::Given(answer), Answer::Failed))
    };
    assert_eq!(
        answer("intent", "shine"),
        "context_route: submit shine [contextual] 1.00"
    );
    assert_eq!(answer("intent", "fly"), "interpreter: interpreter");
    assert_eq!(answer("help", "shine"), "interpreter: interpreter");
}

#[test]
fn the_certainty_of_the_local_model_is_measured_by_the_bars() {
    let told = story(MODELS);
    let room = told.begin();
    let say = |extract| told.say_at(&room, "hello", &agents(Answer::Failed, extract));
    assert_eq!(say(extracted("shine", 95.0)), "llm: submit shine [agent.local] 1.00");
    assert_eq!(say(extracted("shine", 0.7)), "semantic: clarify shine ?");
    assert_eq!(say(extracted("shine", 0.5)), "semantic: ambiguous ");
    assert_eq!(say(extracted("shine", 0.2)), "interpreter: interpreter");
    assert_eq!(say(extracted("none", 0.9)), "interpreter: interpreter");
    assert_eq!(
        say(extracted("work", 0.9)),
        "interpreter: interpreter",
        "a required slot"
    );
}

#[test]
fn a_pending_plan_takes_every_text() {
    let told = story(MODELS);
    let mut plan = Map::new();
    plan.insert("steps", Value::Int(2));
    let mut desk = Map::new();
    desk.insert("plan", Value::Map(plan));
    let room = told.with("room", "desk", Value::Map(desk));
    let say = |text: &str| told.say_at(&room, text, &agents(Answer::Failed, Answer::Failed));
    assert_eq!(
        say(" OK  go ahead"),
        "pending_plan_affirmation: submit accept_plan [deterministic] 1.00"
    );
    assert_eq!(
        say("yes!"),
        r#"pending_plan_refine: submit work {"text":"yes!"} [deterministic] 1.00"#
    );
    assert_eq!(say("make light"), "semantic: submit shine [synonym:make light] 0.90");
    assert_eq!(
        told.say_at(&room, "yes", &services()),
        "interpreter: interpreter",
        "without agents it is off"
    );
}

#[test]
fn embeddings_need_a_lead() {
    let told = story(MODELS);
    let room = told.begin();
    let say = |text: [f32; 2]| {
        let near = [
            ("shine", [1.0, 0.0]),
            ("work", [0.96, 0.28]),
            ("accept_plan", [-1.0, 0.0]),
            ("author_story", [0.0, -1.0]),
        ];
        let vectors = Vectors {
            intents: near.map(|(name, v)| (name.into(), v.to_vec())).into_iter().collect(),
            text: text.to_vec(),
        };
        let embedding = Embedding {
            bar: 0.82,
            margin: 0.08,
            vectors: Answer::Given(vectors),
        };
        told.say_at(
            &room,
            "hello",
            &Services {
                embedding: Some(embedding),
                ..services()
            },
        )
    };
    assert_eq!(say([-1.0, 0.0]), "semantic: submit accept_plan [embed] 0.82");
    assert_eq!(say([1.0, 0.0]), "semantic: ambiguous shine,work");
    assert_eq!(say([0.0, 1.0]), "interpreter: interpreter");
}

const BENCH: &str = r#"
app: { id: bench, version: "1" }
routing: { semantic_mid_bar: 0.7, free_form_fallback: { state: landing, intent: work } }
world: { request: { type: string, default: "" } }
intents:
  look: { title: Look, synonyms: ["look around"] }
  dig: { title: Dig, synonyms: ["dig {n} holes"], slots: { n: { type: int, required: true } } }
  work: { title: Work, slots: { text: { type: string, required: true } } }
root: yard
states:
  landing:
    view: Welcome.
    on:
      work: [{ target: ".", effects: [{ set: { request: "{{ slots.text }}" } }] }]
  yard:
    view: Grass.
    on:
      look: [{ target: yard }]
      dig: [{ target: yard }]
"#;

#[test]
fn what_nobody_takes_goes_to_the_intake_room() {
    let told = story(BENCH);
    assert_eq!(
        told.say("mow the lawn"),
        r#"fallback: submit work {"text":"mow the lawn"} [free_text]"#
    );
    assert_eq!(told.say("  "), "interpreter: interpreter");
    assert_eq!(
        told.say_at(&told.at("landing"), "mow", &services()),
        "interpreter: interpreter"
    );
    assert_eq!(
        told.say("dig some holes"),
        r#"fallback: submit work {"text":"dig some holes"} [free_text] after dig:near-miss"#
    );
}
