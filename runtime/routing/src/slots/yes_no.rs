//! `bool`: the first word that says yes or no. `maybe` is neither.

use kitsoki_expr::Value;

use super::Found;
use crate::lex::Token;

const YES: [&str; 7] = ["yes", "y", "true", "sure", "ok", "okay", "affirmative"];
const NO: [&str; 6] = ["no", "n", "false", "nope", "nah", "negative"];

pub(super) fn parse(words: &[Token]) -> Option<Found> {
    words
        .iter()
        .enumerate()
        .filter(|(_, w)| !w.stop)
        .find_map(|(at, word)| {
            let surface = word.surface.as_str();
            let yes = YES.contains(&surface);
            (yes || NO.contains(&surface)).then_some(Found {
                value: Value::Bool(yes),
                start: at,
                end: at + 1,
            })
        })
}
