//! What is odd about the phrases of a story.

mod told;

use kitsoki_routing::audit::{Room, audit};
use kitsoki_runtime::Machine;
use told::story;

#[track_caller]
fn odd(manifest: &str, expected: &[&str]) {
    let told = story(manifest);
    let machine = Machine::new(&told.program);
    let states = told.program.story.states.iter();
    let rooms: Vec<Room> = states
        .map(|s| Room {
            path: s.path.clone(),
            allowed: machine.allowed_names(&s.path),
        })
        .collect();
    let found = audit(&told.program.story, &told.phrases, &rooms);
    let lines: Vec<String> = found
        .iter()
        .map(|o| format!("{}: {}", o.intent.as_deref().unwrap_or("routing"), o.what))
        .collect();
    assert_eq!(lines, expected);
}

const HEAD: &str = r#"
app: { id: mill, version: "1" }
root: mill
states:
  mill: { view: Mill., on: { grind: [{ target: . }], rest: [{ target: . }] } }
  yard: { view: Yard., on: { sweep: [{ target: . }] } }
"#;

fn with(intents: &str) -> String {
    format!("{HEAD}{intents}")
}

#[test]
fn phrases_that_do_what_they_say_are_not_odd() {
    odd(
        &with(
            r#"
routing: { stopwords_extra: [kindly] }
intents:
  grind: { title: G, synonyms: ["grind {n} sacks", "grind now"], slots: { n: { type: int, required: true } }, examples: ["grind some sacks"] }
  rest: { title: R, synonyms: ["take a rest"] }
  sweep: { title: S, synonyms: ["rest, take one"] }
"#,
        ),
        &[],
    );
}

#[test]
fn two_intents_of_one_room_with_the_same_words() {
    odd(
        &with(
            r#"
intents:
  grind: { title: G, synonyms: ["turn the wheel", "stop it"] }
  rest: { title: R, synonyms: ["wheel turning"], examples: ["Stop  it"] }
  sweep: { title: S }
"#,
        ),
        &[
            "grind: `stop it` has the words of `Stop  it` of rest, and 1 more of its phrases have those of others: in mill the person is asked which is meant",
        ],
    );
}

#[test]
fn phrases_that_can_never_do_anything() {
    odd(
        &with(
            r#"
routing: { stopwords_extra: [Kindly, "two words"] }
intents:
  grind: { title: G, synonyms: ["grind corn", "do it"], slots: { n: { type: int, required: true } } }
  rest: { title: R, synonyms: ["rest {a} {b}", "weigh {w}"], slots: { a: {}, b: {}, w: { type: float } } }
  sweep: { title: S, synonyms: ["sweep {n} rooms"], examples: ["sweep 3 rooms", "sweep some rooms"], slots: { n: { type: int, required: true } } }
"#,
        ),
        &[
            "routing: the extra stop word `Kindly` never matches: write one word, in lower case",
            "routing: the extra stop word `two words` never matches: write one word, in lower case",
            "grind: `do it` never matches: it has only words without meaning",
            "grind: `grind corn` is never submitted: the intent requires `n`, and it has no template",
            "rest: `rest {a} {b}` never fits: two captures have no word between them",
            "rest: `weigh {w}` always asks for `w`: words cannot fill a slot of type `float`",
            "sweep: `sweep 3 rooms` hides the template `sweep {n} rooms`: without the phrase the template would read the required slot",
        ],
    );
}

#[test]
fn definitions_in_several_rooms() {
    let manifest = with(
        r#"
intents:
  grind: { title: G, synonyms: ["grind {n} sacks"], slots: { n: { type: int } } }
  rest: { title: R }
  sweep: { title: S }
"#,
    )
    .replace(
        "view: Yard.",
        "view: Yard., intents: { grind: { title: L, slots: { n: { type: int }, m: {} } } }",
    );
    odd(
        &manifest,
        &[
            "grind: definitions of the intent in several rooms have different slots; its templates know those of the last one",
        ],
    );
}
