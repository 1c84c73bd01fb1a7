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

/// A key at `span` that `kind` does not have; `keys` are those it has.
pub(crate) fn at(span: Span, key: &str, kind: &str, keys: &[&str]) -> Diagnostic {
    let finding = RULE
        .at(span, format!("no key of {kind}"))
        .message(format!("{kind} has no key {}", code(key)));
    offer(finding, span, key, keys)
}

/// Adds the nearest key, or the list when it is short.
pub(crate) fn offer(finding: Diagnostic, span: Span, key: &str, keys: &[&str]) -> Diagnostic {
    match did_you_mean(key, keys.iter().copied()) {
        Some(near) => finding
            .help(format!("a key with a similar name is {}", code(near)))
            .fix(Fix::replace(span, near).title(format!("change it to {}", code(near)))),
        None if keys.len() <= 8 => finding.help(format!("its keys are {}", list(keys))),
        None => finding,
    }
}
