//! `agent-permission-mode`: `permissions.mode` is not in the list (`language` 4.1 A10).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "agent-permission-mode",
    level: Level::Error,
    summary: "an unknown permission mode",
    fixable: Fixable::Sometimes,
};

/// The word, and those that exist.
pub(crate) fn at(span: Span, word: &str, modes: &[&str]) -> Diagnostic {
    let finding = RULE
        .at(span, "no such mode")
        .message(format!("there is no permission mode {}", code(word)));
    super::offer(finding, span, word, modes)
}
