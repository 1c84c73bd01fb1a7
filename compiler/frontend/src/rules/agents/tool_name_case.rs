//! `tool-name-case`: tool names are compared exactly in some rules and without case in others (`language` 5.4).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "tool-name-case",
    level: Level::Warning,
    summary: "a tool name whose spelling escapes an exact-name rule",
    fixable: Fixable::Sometimes,
};

/// The name as written and the exact one.
pub(crate) fn at(span: Span, name: &str, exact: &str) -> Diagnostic {
    RULE.at(span, format!("rules look for {}", code(exact)))
        .message(format!("the tool {} is spelt {}", code(name), code(exact)))
        .note("with another spelling it keeps its effect class, but rules that compare names do not see it")
        .fix(Fix::replace(span, exact).title(format!("change it to {}", code(exact))))
}
