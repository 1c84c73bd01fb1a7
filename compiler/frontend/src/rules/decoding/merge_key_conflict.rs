//! `merge-key-conflict`: a key that is merged with `<<` and also written, in a mapping with fixed keys (`language` 2.2).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "merge-key-conflict",
    level: Level::Error,
    summary: "a key that is both merged and written",
    fixable: Fixable::Never,
};

/// The key at `span` is also merged from `merged`.
pub(crate) fn at(span: Span, key: &str, merged: Span) -> Diagnostic {
    RULE.at(span, "written here")
        .message(format!("{} is merged with `<<` and written as well", code(key)))
        .label(merged, "merged from here")
        .help("a merged key cannot be overridden: leave out one of the two")
}
