//! Why phrases lost.

mod told;

use kitsoki_routing::explain::lost;
use kitsoki_routing::{Routed, route};
use told::{services, story};

const MILL: &str = r#"
app: { id: mill, version: "1" }
intents:
  grind: { title: Grind, synonyms: ["grind the corn", "grind {n} sacks", "{n} {what} now"], slots: { n: { type: int }, what: { type: string } } }
  corn: { title: Corn, synonyms: ["bring corn"] }
  sell: { title: Sell, synonyms: ["sell corn"] }
root: mill
states:
  mill:
    view: Mill.
    on:
      grind: [{ target: mill }]
      corn: [{ target: mill }]
  market:
    view: Market.
    on:
      sell: [{ target: mill }]
"#;

#[track_caller]
fn why(text: &str, expected: &[&str]) {
    let told = story(MILL);
    let place = told.begin();
    let Routed::Decided(decision) = route(&told.phrases, &place, text, &services()) else {
        unreachable!("nobody is asked")
    };
    let lost = lost(&told.phrases, &place, text, &services(), &decision, 9);
    let lines: Vec<String> = lost.iter().map(|l| format!("{}: {}", l.phrase, l.why)).collect();
    assert_eq!(lines, expected, "{text}");
}

#[test]
fn a_phrase_lacks_words() {
    why(
        "grind it",
        &[
            "synonym:grind the corn: the text has no `corn`",
            "template:grind {n} sacks: the text has no `sacks`",
        ],
    );
}

#[test]
fn an_intent_is_not_allowed() {
    why(
        "sell corn",
        &[
            "synonym:sell corn: it fits, but the intent is not allowed here",
            "synonym:bring corn: the text has no `bring`",
            "synonym:grind the corn: the text has no `grind`",
        ],
    );
}

#[test]
fn a_text_says_too_much() {
    why(
        "bring corn one two three four five six seven",
        &[
            "synonym:bring corn: the text says 7 words more than it; 6 are the most",
            "synonym:grind the corn: the text has no `grind`",
            "synonym:sell corn: the text has no `sell`",
        ],
    );
}

#[test]
fn another_phrase_has_the_first_word() {
    why(
        "grind, then bring corn",
        &[
            "synonym:bring corn: it fits, too; the other is the text itself or has its first word",
            "synonym:sell corn: the text has no `sell`",
            "template:grind {n} sacks: the text has no `sacks`",
        ],
    );
}

#[test]
fn templates_say_where_they_do_not_fit() {
    why(
        "now grind 3 sacks",
        &[
            "synonym:grind the corn: the text has no `corn`",
            "template:grind {n} sacks: something stands before `grind`",
            "template:{n} {what} now: two of its captures have no word between them, so it never fits",
        ],
    );
    why(
        "grind 3 sacks today",
        &[
            "synonym:grind the corn: the text has no `corn`",
            "template:grind {n} sacks: something stands behind its last word",
        ],
    );
}
