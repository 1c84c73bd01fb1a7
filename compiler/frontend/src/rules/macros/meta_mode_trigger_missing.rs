//! `meta-mode-trigger-missing`: a meta mode that nobody can enter (`language` 4.5, D62).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "meta-mode-trigger-missing",
    level: Level::Error,
    summary: "a meta mode without a trigger",
    fixable: Fixable::Never,
};

/// `span` is the mode's key, or the empty value.
pub(crate) fn at(span: Span, key: &str) -> Diagnostic {
    RULE.at(span, "no `trigger`")
        .message(format!("the meta mode {} needs a `trigger`", code(key)))
}
