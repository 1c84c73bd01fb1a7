//! `number-becomes-text`: a number that changes its spelling when it becomes text (`language` 2.4).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "number-becomes-text",
    level: Level::Warning,
    summary: "a number that changes its spelling when it becomes text",
    fixable: Fixable::Always,
};

/// The number at `span`, written as `source`, is read as the text `text`.
pub(crate) fn at(span: Span, source: &str, text: &str) -> Diagnostic {
    RULE.at(span, format!("read as the text {}", code(text)))
        .message(format!("the number {} becomes the text {}", code(source), code(text)))
        .fix(Fix::replace(span, format!("\"{source}\"")).title("put it in quotes"))
}
