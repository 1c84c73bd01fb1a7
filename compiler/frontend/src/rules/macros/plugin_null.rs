//! `plugin-null`: an agent plugin behind whose alias nothing stands (`language` 4.4, P1).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "plugin-null",
    level: Level::Error,
    summary: "a plugin without a body",
    fixable: Fixable::Never,
};

/// `alias` is the plugin's key.
pub(crate) fn at(span: Span, alias: &str) -> Diagnostic {
    RULE.at(span, "nothing stands behind the alias")
        .message(format!("the plugin {} has no body", code(alias)))
}
