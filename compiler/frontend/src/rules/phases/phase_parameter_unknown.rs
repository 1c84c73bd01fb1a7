//! `phase-parameter-unknown`: a graph entry may give any value; the template declares what it expects (`macros` 2.2).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "phase-parameter-unknown",
    level: Level::Warning,
    summary: "a value for a parameter that the template does not declare",
    fixable: Fixable::Never,
};

/// The key.
pub(crate) fn at(span: Span, key: &str, phase: &str) -> Diagnostic {
    RULE.at(span, "not declared by the template").message(format!(
        "the phase {} gives the unknown parameter {}",
        code(phase),
        code(key)
    ))
}
