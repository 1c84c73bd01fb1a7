//! `non-string-key`: a key such as `1:` or `true:` in a mapping with fixed keys. The reference reads the whole mapping as empty (`language` 2.6).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "non-string-key",
    level: Level::Error,
    summary: "a key that is no text where keys are fixed",
    fixable: Fixable::Never,
};

/// The key at `span` is no text.
pub(crate) fn at(span: Span, kind: &str) -> Diagnostic {
    RULE.at(span, "not a text")
        .message(format!("{kind} has a key that is no text"))
        .note("the Go implementation reads the whole mapping as empty because of it")
}
