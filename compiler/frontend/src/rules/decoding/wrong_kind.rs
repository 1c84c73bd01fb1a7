//! `wrong-kind`: a value of the wrong kind: text for a flag, a scalar for a list (`language` 2.4).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "wrong-kind",
    level: Level::Error,
    summary: "a value of the wrong YAML kind for its key",
    fixable: Fixable::Sometimes,
};

/// The value at `span` is `found` where `expected` is due.
pub(crate) fn at(span: Span, found: &str, expected: &str) -> Diagnostic {
    RULE.at(span, format!("this is {found}"))
        .message(format!("expected {expected}, found {found}"))
}
