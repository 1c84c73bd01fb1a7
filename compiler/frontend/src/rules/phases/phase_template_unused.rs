//! `phase-template-unused`: without a graph nothing is expanded, and the template is not even looked up (`macros` 2.2).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "phase-template-unused",
    level: Level::Warning,
    summary: "phases with an empty graph",
    fixable: Fixable::Never,
};

/// The template's name.
pub(crate) fn at(span: Span, template: &str) -> Diagnostic {
    RULE.at(span, "never used")
        .message(format!("the graph is empty: no room is made of {}", code(template)))
}
