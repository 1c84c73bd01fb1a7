//! `element-many-kinds`: a view element with two kind keys (`language` Y9).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "element-many-kinds",
    level: Level::Error,
    summary: "a view element with two kinds",
    fixable: Fixable::Never,
};

/// `second` stands beside `first`.
pub(crate) fn at(second: Span, second_word: &str, first: Span, first_word: &str) -> Diagnostic {
    RULE.at(second, "a second kind")
        .message(format!(
            "a view element is both {} and {}",
            code(first_word),
            code(second_word)
        ))
        .label(first, "the first kind")
        .help("write them as two elements")
}
