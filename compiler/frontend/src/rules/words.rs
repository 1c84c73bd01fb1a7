//! Words in messages: lists of names, and the name that was probably meant.

use kitsoki_diagnostics::code;

/// The one candidate that `name` is probably a slip of.
#[must_use]
pub fn did_you_mean<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    kitsoki_diagnostics::suggest::nearest(name, candidates)
        .first()
        .map(|s| s.word)
}

/// Names in backticks with commas; the last one with "and".
#[must_use]
pub fn list(names: &[&str]) -> String {
    match names {
        [] => "none".to_owned(),
        [one] => code(one),
        [head @ .., last] => {
            let head: Vec<String> = head.iter().map(|n| code(n)).collect();
            format!("{} and {}", head.join(", "), code(last))
        }
    }
}

/// Names in backticks with commas; the last one with "or".
#[must_use]
pub fn one_of(names: &[&str]) -> String {
    match names {
        [] => "nothing".to_owned(),
        [one] => code(one),
        [head @ .., last] => {
            let head: Vec<String> = head.iter().map(|n| code(n)).collect();
            format!("{} or {}", head.join(", "), code(last))
        }
    }
}
