//! `agent-effort-unknown`: an agent's `effort` is not in the list (`language` 4.1 A9).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "agent-effort-unknown",
    level: Level::Error,
    summary: "an unknown effort word",
    fixable: Fixable::Sometimes,
};

/// The word, and those that exist.
pub(crate) fn at(span: Span, word: &str, efforts: &[&str]) -> Diagnostic {
    let finding = RULE
        .at(span, "no such effort")
        .message(format!("there is no effort {}", code(word)));
    super::offer(finding, span, word, efforts)
}
