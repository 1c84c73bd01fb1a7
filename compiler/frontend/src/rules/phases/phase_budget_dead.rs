//! `phase-budget-dead`: the template's own default wins before the budget's error arm (`macros` 2.7).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "phase-budget-dead",
    level: Level::Warning,
    summary: "a budget whose error arm comes after a default",
    fixable: Fixable::Never,
};

/// The arc under `cycle_budgets`, and the default.
pub(crate) fn at(span: Span, arc: &str, default: Span) -> Diagnostic {
    RULE.at(span, "its error arm is never reached")
        .message(format!(
            "when the budget of {} is used up, the default is taken",
            code(arc)
        ))
        .label(default, "this arm comes first")
}
