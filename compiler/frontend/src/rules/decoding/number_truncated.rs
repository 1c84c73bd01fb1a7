//! `number-truncated`: a fraction that is cut off where an integer is due (`language` 2.4).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "number-truncated",
    level: Level::Warning,
    summary: "a fraction that is cut off for an integer",
    fixable: Fixable::Sometimes,
};

/// The number at `span` is read as `value`.
pub(crate) fn at(span: Span, source: &str, value: i64) -> Diagnostic {
    RULE.at(span, format!("read as {value}"))
        .message(format!("an integer is due: {} counts as {value}", code(source)))
        .fix(Fix::replace(span, value.to_string()).title(format!("change it to {}", code(&value.to_string()))))
}
