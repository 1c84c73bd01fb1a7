//! `phase-parameter-missing`: the template requires a parameter, and the phase does not give it (`macros` 2.10).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "phase-parameter-missing",
    level: Level::Error,
    summary: "a required parameter without a value",
    fixable: Fixable::Sometimes,
};

/// The phase and the parameter. `slip` is a parameter of the phase that the template does not know and that is written alike.
pub(crate) fn at(span: Span, phase: &str, parameter: &Text, slip: Option<(Span, &str)>) -> Diagnostic {
    let finding = RULE
        .at(span, format!("{} is missing", code(parameter.as_str())))
        .message(format!(
            "the phase {} lacks the parameter {}",
            code(phase),
            code(parameter.as_str())
        ))
        .label(parameter.span, "required here");
    match slip {
        Some((at, name)) => {
            let title = format!("change {} to {}", code(name), code(parameter.as_str()));
            finding
                .label(
                    at,
                    "a parameter with a similar name, which the template does not declare",
                )
                .help(title.clone())
                .fix(Fix::replace(at, parameter.as_str()).title(title))
        }
        None => finding,
    }
}
