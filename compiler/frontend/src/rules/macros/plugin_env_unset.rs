//! `plugin-env-unset`: `env` or `headers` of a plugin need a variable that is not set (`language` 4.4, P8).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "plugin-env-unset",
    level: Level::Error,
    summary: "a plugin value that names an unset variable",
    fixable: Fixable::Never,
};

/// `variable` as written, with its braces; `None` for `${}`.
pub(crate) fn at(place: Span, variable: Option<&str>) -> Diagnostic {
    match variable {
        Some(name) => RULE
            .at(place, "not set in the environment")
            .message(format!("the variable {} is not set", code(name))),
        None => RULE
            .at(place, "no name between the braces")
            .message("`${}` makes the whole value empty")
            .note("the Go implementation does not report it")
            .level(Level::Warning),
    }
}
