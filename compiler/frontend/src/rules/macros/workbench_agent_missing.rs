//! `workbench-agent-missing`: a workbench that says no agent, or a blank one (`macros` 3.2).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "workbench-agent-missing",
    level: Level::Error,
    summary: "a `workbench` without an agent",
    fixable: Fixable::Never,
};

/// `agent` is not there (`span` is the key `workbench`) or blank (`span` is the value).
pub(crate) fn at(span: Span) -> Diagnostic {
    RULE.at(span, "no agent works here")
        .message("a workbench needs `agent`")
}
