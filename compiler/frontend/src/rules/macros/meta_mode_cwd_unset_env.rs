//! `meta-mode-cwd-unset-env`: the working directory of a meta mode needs a variable that is not set (`language` 4.5, D67).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "meta-mode-cwd-unset-env",
    level: Level::Error,
    summary: "a meta mode's `cwd` names an unset variable",
    fixable: Fixable::Never,
};

/// `variable` as written, with its dollar sign.
pub(crate) fn at(place: Span, variable: &str) -> Diagnostic {
    RULE.at(place, "not set in the environment")
        .message(format!("the variable {} is not set", code(variable)))
}
