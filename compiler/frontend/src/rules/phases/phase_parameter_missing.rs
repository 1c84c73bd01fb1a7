//! `phase-parameter-missing`: the template requires a parameter, and the phase does not give it (`macros` 2.10).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "phase-parameter-missing",
    level: Level::Error,
    summary: "a required parameter without a value",
    fixable: Fixable::Never,
};

/// The phase and the parameter.
pub(crate) fn at(span: Span, phase: &str, parameter: &Text) -> Diagnostic {
    RULE.at(span, format!("{} is missing", code(parameter.as_str())))
        .message(format!(
            "the phase {} lacks the parameter {}",
            code(phase),
            code(parameter.as_str())
        ))
        .label(parameter.span, "required here")
}
