//! `agent-token-budget`: `warn_tokens` must be positive and `refuse_tokens` not below it (`language` 4.1 A11).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "agent-token-budget",
    level: Level::Error,
    summary: "a token budget that cannot hold",
    fixable: Fixable::Never,
};

/// There is no positive warning level.
pub(crate) fn no_warning(span: Span) -> Diagnostic {
    RULE.at(span, "no positive `warn_tokens`")
        .message("a token budget needs a positive `warn_tokens`")
        .help("write both levels: `{ warn_tokens: 20000, refuse_tokens: 40000 }`")
}

/// The refusal level lies below the warning level.
pub(crate) fn below(span: Span, refuse: i64, warn_span: Span, warn: i64) -> Diagnostic {
    RULE.at(span, format!("{refuse} is below {warn}"))
        .message("`refuse_tokens` lies below `warn_tokens`")
        .label(warn_span, "the warning level")
        .help("refuse at or above the level that warns")
}
