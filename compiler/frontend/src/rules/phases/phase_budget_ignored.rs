//! `phase-budget-ignored`: what is no number is dropped without a word (`macros` 2.2).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "phase-budget-ignored",
    level: Level::Warning,
    summary: "a budget that is not a number",
    fixable: Fixable::Never,
};

/// The value.
pub(crate) fn at(span: Span, arc: &str, kind: &str) -> Diagnostic {
    RULE.at(span, format!("{kind} is no budget"))
        .message(format!("the budget of {} is dropped", code(arc)))
}

/// A number with a fraction.
pub(crate) fn fraction(span: Span, value: f64) -> Diagnostic {
    RULE.at(span, format!("counts as {}", value.trunc()))
        .message("the fraction of a budget is cut off")
}
