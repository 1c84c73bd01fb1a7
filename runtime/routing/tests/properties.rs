//! What holds for every text: it is routed, always alike, and what comes out is what the story declares.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test stops at the first surprise")]

mod told;

use std::sync::LazyLock;

use kitsoki_routing::lex::Lexer;
use kitsoki_routing::matching::Allowed;
use kitsoki_routing::slots::Day;
use kitsoki_routing::verdict::Verdict;
use kitsoki_routing::{Outcome, Phrases, Readiness, Routed, Services, classify, route};
use proptest::prelude::*;
use told::{Told, services, story};

const EVERYTHING: &str = r#"
app: { id: everything, version: "1" }
routing: { stopwords_extra: [kindly, "7", march] }
intents:
  buy:
    title: Buy
    synonyms: ["buy {n} oxen for {sum}", "{n} oxen", "purchase oxen", "get oxen on {day}"]
    examples: ["buy some oxen"]
    slots:
      n: { type: int, required: true }
      sum: { type: money }
      day: { type: date }
  paint:
    title: Paint
    synonyms: ["paint it {colours}", "paint {colour} now", "{flag} paint {rest}"]
    slots:
      colour: { type: enum, values: [red, dark green, the], synonyms: { red: [hot one] } }
      colours: { type: "list[enum]", values: [red, blue] }
      flag: { type: bool }
      rest: { type: string }
  plan: { title: Plan, synonyms: ["plan {days}", "plan {odd} {sums}"], slots: { days: { type: "list[date]" }, sums: { type: "list[list[money]]" }, odd: { type: float } } }
  stop: { title: Stop, synonyms: [stop, "do not go on"] }
root: hall
states:
  hall:
    view: Hall.
    on:
      buy: [{ target: hall }]
      paint: [{ when: "slots.colour == 'red'", target: hall }, { target: hall }]
      plan: [{ target: hall }]
      stop: [{ target: hall }]
"#;

static TOLD: LazyLock<Told> = LazyLock::new(|| story(EVERYTHING));

/// Texts that come near to phrases of the story.
fn near() -> impl Strategy<Value = String> {
    let words = prop::sample::select(vec![
        "buy",
        "oxen",
        "purchase",
        "3",
        "twenty",
        "hundred",
        "and",
        "for",
        "dollars",
        "the",
        "paint",
        "it",
        "red",
        "rad",
        "blue",
        "dark",
        "green",
        "now",
        "yes",
        "plan",
        "march",
        "in",
        "days",
        "next",
        "week",
        "2026",
        "15",
        "stop",
        "do",
        "not",
        "go",
        "7",
        "kindly",
        "hot",
        "one",
        "1.5",
        "—",
        "ſtop",
        "İ",
        "１２",
        "a:b",
        "don’t",
        "शब्दों",
        "\u{200b}",
    ]);
    prop::collection::vec(words, 0..14).prop_map(|words| words.join(" "))
}

fn check(text: &str) {
    let told = &*TOLD;
    let place = told.begin();
    for switch in [None, Some(false)] {
        let services = Services { switch, ..services() };
        let routed = route(&told.phrases, &place, text, &services);
        assert_eq!(
            routed,
            route(&told.phrases, &place, text, &services),
            "routing is a function of the text"
        );
        let Routed::Decided(decision) = routed else {
            panic!("nothing is asked without agents")
        };
        let (intent, slots) = match &decision.outcome {
            Outcome::Submit { intent, slots } => (intent, slots),
            Outcome::Clarify { intent, slots, missing } => {
                assert!(missing.is_sorted());
                (intent, slots)
            }
            Outcome::Ambiguous { candidates } => {
                assert!(candidates.len() > 1);
                continue;
            }
            Outcome::Interpreter => continue,
        };
        let intents = &kitsoki_routing::Situation::story(&place).intents;
        let declared = intents.iter().find(|i| i.name == *intent).unwrap();
        assert!(slots.keys().all(|name| declared.slot(name).is_some()), "{text}");
    }
    if let Some(Verdict::Hit(hit)) = classify(&told.phrases, &place, text, &services()) {
        assert!([1.0, 0.9, 0.8, 0.65].contains(&hit.confidence));
        assert_eq!(hit.missing.is_empty(), hit.confidence > 0.65);
    }
    let words = told.phrases.lexer().tokens(text);
    assert!(words.iter().all(|w| !w.surface.is_empty() && !w.norm.is_empty()));
}

proptest! {
    #[test]
    fn every_text_is_routed(text in any::<String>()) {
        check(&text);
    }

    #[test]
    fn texts_near_to_phrases_are_routed(text in near()) {
        check(&text);
    }

    #[test]
    fn every_phrase_is_compiled_and_fits_itself(
        phrases in prop::collection::vec(prop_oneof![any::<String>(), near(), "[{}a-c0-9 —]{0,12}"], 0..6),
        text in near(),
    ) {
        let mut story = kitsoki_ir::Story::clone(&TOLD.program.story);
        for (id, _) in TOLD.program.story.intents.pairs() {
            let intent = story.intents.get_mut(id).unwrap();
            intent.examples.clear();
            intent.synonyms = match intent.name.as_str() {
                "buy" => phrases.iter().map(Into::into).collect(),
                _ => Vec::new(),
            };
        }
        let compiled = Phrases::new(&story);
        let place = TOLD.begin();
        let _ = route(&compiled, &place, &text, &services());
        for phrase in compiled.entries().to_vec() {
            let verdict = compiled.classify(&phrase.source, &Allowed::new(["buy"]), Day::of_nanos(0));
            let hit = verdict.is_some_and(|v| matches!(v, Verdict::Hit(hit) if hit.intent == "buy"));
            prop_assert!(hit || *compiled.readiness() != Readiness::Ready, "{}", phrase.source);
        }
    }

    #[test]
    fn the_order_of_words_does_not_change_a_signature(words in prop::collection::vec("[a-z]{1,8}|[0-9]{1,4}", 1..8), seed in any::<prop::sample::Index>()) {
        let lexer = Lexer::default();
        let mut turned = words.clone();
        turned.rotate_left(seed.index(words.len()));
        turned.push("please".to_owned());
        prop_assert_eq!(lexer.signature(&words.join(" ")), lexer.signature(&turned.join(" ").to_uppercase()));
    }

    #[test]
    fn a_word_of_a_text_is_one_word_by_itself(text in any::<String>()) {
        let lexer = Lexer::default();
        for word in lexer.tokens(&text) {
            let again = lexer.tokens(&word.surface);
            prop_assert!(again.len() == 1 && again.iter().all(|w| w.norm == word.norm), "{:?} {:?}", word, again);
        }
    }
}

/// Texts whose cost would be seen if it grew faster than their length.
#[test]
fn long_texts_are_routed() {
    for piece in [
        "to ",
        "and ",
        "red ",
        "red and ",
        "5 ",
        "5 dollars ",
        "today ",
        "in ",
        "in the ",
        "march ",
        "hundred ",
        "paint it ",
        "y",
        "buy 3 oxen for ",
        "a.",
        "\u{301}",
        "plan 5 and ",
        "7 ",
    ] {
        let text = piece.repeat(20_000 / piece.len());
        for start in ["", "paint it ", "plan ", "buy "] {
            check_long(&format!("{start}{text}"));
        }
    }
}

fn check_long(text: &str) {
    let told = &*TOLD;
    let routed = route(&told.phrases, &told.begin(), text, &services());
    assert!(matches!(routed, Routed::Decided(_)));
}
