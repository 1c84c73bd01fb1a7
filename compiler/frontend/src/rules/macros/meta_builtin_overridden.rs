//! `meta-builtin-overridden`: a meta mode with the key of a built-in one replaces it as a whole (`macros` 6).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "meta-builtin-overridden",
    level: Level::Hint,
    summary: "a story mode that replaces a built-in one",
    fixable: Fixable::Never,
};

/// `key` is the mode's key.
pub(crate) fn at(span: Span, key: &str) -> Diagnostic {
    RULE.at(span, "the built-in mode is gone, with its label, tools and banner")
        .message(format!("{} replaces a built-in meta mode", code(key)))
}
