//! `plugin-alias-prefix`: an agent plugin whose alias does not begin with `agent.` (`language` 4.4, P2).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "plugin-alias-prefix",
    level: Level::Error,
    summary: "a plugin alias without `agent.`",
    fixable: Fixable::Always,
};

/// `alias` is the plugin's key.
pub(crate) fn at(span: Span, alias: &str) -> Diagnostic {
    let whole = format!("agent.{alias}");
    RULE.at(span, "no `agent.` before it")
        .message(format!("the plugin alias {} does not begin with `agent.`", code(alias)))
        .fix(Fix::replace(span, whole.clone()).title(format!("change it to {}", code(&whole))))
}
