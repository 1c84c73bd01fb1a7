//! `choice-form`: a `choice` whose parts have the wrong YAML shape (`language` Y14).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "choice-form",
    level: Level::Error,
    summary: "a part of a choice with the wrong shape",
    fixable: Fixable::Never,
};

/// The part at `span` is `found` where `expected` is due.
pub(crate) fn at(span: Span, found: &str, expected: &str) -> Diagnostic {
    RULE.at(span, format!("this is {found}"))
        .message(format!("a part of a choice: expected {expected}, found {found}"))
}
