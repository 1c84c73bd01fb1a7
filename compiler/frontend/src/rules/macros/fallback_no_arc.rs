//! `fallback-no-arc`: a free-form fallback whose room does nothing with the intent (`macros` 5.3).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "fallback-no-arc",
    level: Level::Error,
    summary: "the fallback room has no arc for the intent",
    fixable: Fixable::Never,
};

/// The room `state` has no `on.<intent>`.
pub(crate) fn at(place: Span, state: &str, intent: &str) -> Diagnostic {
    RULE.at(place, "there is no arc to copy").message(format!(
        "the room {} has no arc for {}",
        code(state),
        code(intent)
    ))
}
