//! `plugin-kind-missing`: an agent plugin without `plugin` (`language` 4.4, P3).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "plugin-kind-missing",
    level: Level::Error,
    summary: "a plugin that does not say its kind",
    fixable: Fixable::Never,
};

/// `span` is the alias, or the empty value.
pub(crate) fn at(span: Span, alias: &str) -> Diagnostic {
    RULE.at(span, "no `plugin`")
        .message(format!("the plugin {} does not say what it is", code(alias)))
        .help(KINDS)
}

/// For help texts.
pub(super) const KINDS: &str =
    "`plugin` is `builtin.claude_cli`, `builtin.inprocess`, `builtin.local_llm`, `subprocess` or `mcp_http`";
