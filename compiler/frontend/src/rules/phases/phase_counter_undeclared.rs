//! `phase-counter-undeclared`: the counter of a budget is a world key that the author declares (`macros` 2.7).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "phase-counter-undeclared",
    level: Level::Warning,
    summary: "a cycle counter that the world does not declare",
    fixable: Fixable::Never,
};

/// The arc under `cycle_budgets`.
pub(crate) fn at(span: Span, counter: &str) -> Diagnostic {
    RULE.at(span, "counted in an undeclared key")
        .message(format!("no world key is called {}", code(counter)))
        .help(format!("declare it: `{counter}: {{ type: int, default: 0 }}`"))
}
