//! `fallback-intent-missing`: a free-form fallback that names no intent (`macros` 5.3).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "fallback-intent-missing",
    level: Level::Error,
    summary: "`free_form_fallback` without an intent",
    fixable: Fixable::Never,
};

/// `span` is the key of the block, or the blank value.
pub(crate) fn at(span: Span) -> Diagnostic {
    RULE.at(span, "no intent is named")
        .message("a free-form fallback needs `intent`")
}
