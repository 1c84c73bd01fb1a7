//! `meta-mode-null`: a meta mode behind whose key nothing stands (`language` 4.5, D61).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "meta-mode-null",
    level: Level::Error,
    summary: "a meta mode without a body",
    fixable: Fixable::Never,
};

/// `key` is the mode's key.
pub(crate) fn at(span: Span, key: &str) -> Diagnostic {
    RULE.at(span, "nothing stands behind the key")
        .message(format!("the meta mode {} has no body", code(key)))
}
