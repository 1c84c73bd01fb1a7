//! `plugin-kind-unknown`: a `plugin` word that is not one of the five (`language` 4.4, P4).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "plugin-kind-unknown",
    level: Level::Error,
    summary: "an unknown kind of plugin",
    fixable: Fixable::Sometimes,
};

/// `kind` is the word at `span`.
pub(crate) fn at(span: Span, kind: &str) -> Diagnostic {
    let finding = RULE
        .at(span, "no such kind")
        .message(format!("no plugin is of the kind {}", code(kind)));
    let kinds = [
        "builtin.claude_cli",
        "builtin.inprocess",
        "builtin.local_llm",
        "subprocess",
        "mcp_http",
    ];
    match crate::rules::words::did_you_mean(kind, kinds) {
        Some(near) => finding.fix(Fix::replace(span, near).title(format!("change it to {}", code(near)))),
        None => finding.help(super::plugin_kind_missing::KINDS),
    }
}
