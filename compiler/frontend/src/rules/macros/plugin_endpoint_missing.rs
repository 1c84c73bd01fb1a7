//! `plugin-endpoint-missing`: an `mcp_http` plugin without an address (`language` 4.4, P6).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "plugin-endpoint-missing",
    level: Level::Error,
    summary: "an HTTP plugin without an endpoint",
    fixable: Fixable::Never,
};

/// `span` is the word `mcp_http`, or the blank value.
pub(crate) fn at(span: Span) -> Diagnostic {
    RULE.at(span, "needs `endpoint`")
        .message("an `mcp_http` plugin has no endpoint")
}
