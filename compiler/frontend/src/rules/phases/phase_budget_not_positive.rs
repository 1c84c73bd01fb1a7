//! `phase-budget-not-positive`: a budget says how often an arc may be taken (`macros` 2.7).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "phase-budget-not-positive",
    level: Level::Error,
    summary: "a cycle budget of zero or less",
    fixable: Fixable::Never,
};

/// The number.
pub(crate) fn at(span: Span, arc: &str) -> Diagnostic {
    RULE.at(span, "not positive")
        .message(format!("the budget of {} must be at least 1", code(arc)))
        .help("leave the budget out for an arc without a limit")
}
