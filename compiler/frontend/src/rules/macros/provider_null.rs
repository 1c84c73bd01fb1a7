//! `provider-null`: a provider behind whose name nothing stands (`language` 4.4, V1).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "provider-null",
    level: Level::Error,
    summary: "a provider without a body",
    fixable: Fixable::Never,
};

/// `name` is the provider's key.
pub(crate) fn at(span: Span, name: &str) -> Diagnostic {
    RULE.at(span, "nothing stands behind the name")
        .message(format!("the provider {} has no body", code(name)))
}
