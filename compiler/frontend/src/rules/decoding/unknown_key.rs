//! `unknown-key`: a key that the mapping does not have, where the reference checks keys (`language` 2.1).
//!
//! Where the reference lets unknown keys vanish, `ignored-key` speaks instead.

use kitsoki_syntax::Span;

use super::super::prelude::*;
use super::super::words::{did_you_mean, list};

pub(crate) const RULE: Rule = Rule {
    id: "unknown-key",
    level: Level::Error,
    summary: "a key that this kind of declaration does not have",
    fixable: Fixable::Sometimes,
};

/// A key at `span` that `kind` does not have; `keys` are those it has and that are not written yet, of `all`.
pub(crate) fn at(span: Span, key: &str, kind: &str, keys: &[&str], all: usize) -> Diagnostic {
    let finding = RULE
        .at(span, format!("no key of {kind}"))
        .message(format!("{kind} has no key {}", code(key)));
    let finding = offer(finding, span, key, keys);
    if finding.helps.is_empty() {
        let elsewhere = ELSEWHERE.iter().find(|(of, word, _)| *of == kind && *word == key);
        return match elsewhere {
            Some((_, _, help)) => finding.help(*help),
            None if key.starts_with("host.") && kind == "an effect" => {
                finding.help(format!("write `invoke: {key}`, and its arguments under `with`"))
            }
            None if all == 0 => finding.help("remove it"),
            None => finding.help(all_keys(kind)),
        };
    }
    finding
}

/// Words for which the language has no key, and how it says the same.
const ELSEWHERE: &[(&str, &str, &str)] = &[
    (
        "a room",
        "always",
        "effects of `on_enter` may `emit_intent`, and guarded arms decide where it leads",
    ),
    (
        "a room",
        "exit",
        "nothing runs on the way out: put the effects into the arcs that lead away",
    ),
    (
        "a room",
        "on_exit",
        "nothing runs on the way out: put the effects into the arcs that lead away",
    ),
    (
        "a room",
        "invoke",
        "a call is an effect: put it into the list of `on_enter`",
    ),
    (
        "an effect",
        "timeout",
        "a room has the `timeout`: put it beside `on_enter`",
    ),
    (
        "an effect",
        "target",
        "an arc has the target; an effect can `emit_intent`",
    ),
    (
        "an effect",
        "retry",
        "nothing is called again on its own: lead `on_error` to a room that asks",
    ),
];

/// Where all keys of a kind of declaration stand.
pub(crate) fn all_keys(kind: &str) -> String {
    let word = kind.trim_start_matches("a ").trim_start_matches("an ");
    let word = if word.contains(' ') {
        format!("\"{word}\"")
    } else {
        word.to_owned()
    };
    format!("`kitsoki explain {word}` lists its keys")
}

/// The key that a word was probably meant to be, and how that is known.
fn near_or_habit<'k>(key: &str, keys: &[&'k str]) -> Option<(&'k str, &'static str)> {
    let habit = super::super::habits::meant(key, keys);
    let near = did_you_mean(key, keys.iter().copied());
    match (near, habit) {
        // A slip of one or two letters is nearer than any habit.
        (Some(near), None) => Some((near, "a key with a similar name is")),
        (Some(near), Some(_)) if strsim::osa_distance(near, key) <= 2 => Some((near, "a key with a similar name is")),
        (_, Some(habit)) => Some((habit, "here this is called")),
        (None, None) => None,
    }
}

/// The key that a word was probably meant to be.
pub(crate) fn meant<'k>(key: &str, keys: &[&'k str]) -> Option<&'k str> {
    near_or_habit(key, keys).map(|(word, _)| word)
}

/// Adds the key that was probably meant, a slip of the fingers or a word of another tool, or the list when it is short.
pub(crate) fn offer(finding: Diagnostic, span: Span, key: &str, keys: &[&str]) -> Diagnostic {
    match near_or_habit(key, keys) {
        Some((word, why)) => finding
            .help(format!("{why} {}", code(word)))
            .fix(Fix::replace(span, word).title(format!("change it to {}", code(word)))),
        None if (1..=8).contains(&keys.len()) => finding.help(format!("its keys are {}", list(keys))),
        None => finding,
    }
}
