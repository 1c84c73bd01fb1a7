//! `fallback-state-missing`: a free-form fallback that names no room (`macros` 5.3).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "fallback-state-missing",
    level: Level::Error,
    summary: "`free_form_fallback` without a state",
    fixable: Fixable::Never,
};

/// `span` is the key of the block, or the blank value.
pub(crate) fn at(span: Span) -> Diagnostic {
    RULE.at(span, "no room is named")
        .message("a free-form fallback needs `state`")
}
