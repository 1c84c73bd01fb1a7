//! `phase-name-parameter-unknown`: `{p}` in the name of a template's room is a parameter (`macros` 2.4).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "phase-name-parameter-unknown",
    level: Level::Error,
    summary: "a room's name with an unknown parameter",
    fixable: Fixable::Never,
};

/// The braces in the name.
pub(crate) fn at(span: Span, parameter: &str, phase: &str) -> Diagnostic {
    RULE.at(span, "no such parameter")
        .message(format!(
            "the name of a room needs {}, which the phase {} does not have",
            code(parameter),
            code(phase)
        ))
        .help("the id of the phase is `{id}`")
}
