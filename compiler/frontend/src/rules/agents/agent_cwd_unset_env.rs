//! `agent-cwd-unset-env`: `cwd` names a variable of the environment that is not set (`language` 4.1 A8).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "agent-cwd-unset-env",
    level: Level::Error,
    summary: "a working directory with a variable that is not set",
    fixable: Fixable::Never,
};

/// The value of `cwd` and the name of the variable.
pub(crate) fn at(span: Span, variable: &str) -> Diagnostic {
    RULE.at(span, format!("{} is not set", code(variable)))
        .message(format!(
            "the working directory needs the variable {}, which is not set",
            code(variable)
        ))
        .help("set it before the story is loaded, or write the folder itself")
}
