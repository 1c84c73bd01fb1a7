//! `choice-schema`: a `choice` with a missing, unknown, empty or mistyped part (`language` 3.9).
//!
//! Here stands what can be said about keys; the rest of the schema is checked on the finished view.

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "choice-schema",
    level: Level::Error,
    summary: "a choice with a missing, unknown, empty or mistyped part",
    fixable: Fixable::Sometimes,
};

/// An unknown key of a choice or something in it.
pub(crate) fn key(span: Span, key: &str, kind: &str, keys: &[&str]) -> Diagnostic {
    let finding = RULE
        .at(span, format!("no key of {kind}"))
        .message(format!("{kind} has no key {}", code(key)));
    super::unknown_key::offer(finding, span, key, keys)
}
