//! `meta-mode-agent-missing`: a meta mode in which nobody answers (`language` 4.5, D63).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "meta-mode-agent-missing",
    level: Level::Error,
    summary: "a meta mode without an agent",
    fixable: Fixable::Never,
};

/// `span` is the mode's key, or the empty value.
pub(crate) fn at(span: Span, key: &str) -> Diagnostic {
    RULE.at(span, "no `agent`")
        .message(format!("the meta mode {} needs an `agent`", code(key)))
}
