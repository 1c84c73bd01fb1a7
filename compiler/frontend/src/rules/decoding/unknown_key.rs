//! `unknown-key`: a key that the mapping does not have, where the reference checks keys (`language` 2.1).
//!
//! Where the reference lets unknown keys vanish, `ignored-key` speaks instead.

use kitsoki_syntax::Span;

use super::super::habits::meant;
use super::super::prelude::*;
use super::super::words::{did_you_mean, list};

pub(crate) const RULE: Rule = Rule {
    id: "unknown-key",
    level: Level::Error,
    summary: "a key that this kind of declaration does not have",
    fixable: Fixable::Sometimes,
};

/// A key at `span` that `kind` does not have; `keys` are those it has.
pub(crate) fn at(span: Span, key: &str, kind: &str, keys: &[&str]) -> Diagnostic {
    let finding = RULE
        .at(span, format!("no key of {kind}"))
        .message(format!("{kind} has no key {}", code(key)));
    offer(finding, span, key, keys)
}

/// Adds the key that was probably meant, a slip of the fingers or a word of another tool, or the list when it is short.
pub(crate) fn offer(finding: Diagnostic, span: Span, key: &str, keys: &[&str]) -> Diagnostic {
    let habit = meant(key, keys);
    let near = did_you_mean(key, keys.iter().copied());
    let (word, why) = match (near, habit) {
        // A slip of one or two letters is nearer than any habit.
        (Some(near), None) => (near, "a key with a similar name is"),
        (Some(near), Some(_)) if strsim::osa_distance(near, key) <= 2 => (near, "a key with a similar name is"),
        (_, Some(habit)) => (habit, "here this is called"),
        (None, None) if keys.len() <= 8 => return finding.help(format!("its keys are {}", list(keys))),
        (None, None) => return finding,
    };
    finding
        .help(format!("{why} {}", code(word)))
        .fix(Fix::replace(span, word).title(format!("change it to {}", code(word))))
}
