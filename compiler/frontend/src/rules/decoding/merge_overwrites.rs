//! `merge-overwrites`: a `<<` that stands after a key of its mapping and overwrites it (`language` 2.2).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "merge-overwrites",
    level: Level::Warning,
    summary: "a merge that overwrites a key written before it",
    fixable: Fixable::Never,
};

/// The merge at `span` overwrites `key`, written at `written`.
pub(crate) fn at(span: Span, key: &str, written: Span) -> Diagnostic {
    RULE.at(span, "comes later and wins")
        .message(format!("the merge overwrites {}", code(key)))
        .label(written, "lost")
        .help("put `<<` first: what is written after it wins")
}
