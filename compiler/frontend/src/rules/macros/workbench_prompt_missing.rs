//! `workbench-prompt-missing`: a workbench that says no prompt, or a blank one (`macros` 3.2).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "workbench-prompt-missing",
    level: Level::Error,
    summary: "a `workbench` without a prompt",
    fixable: Fixable::Never,
};

/// `prompt` is not there (`span` is the key `workbench`) or blank (`span` is the value).
pub(crate) fn at(span: Span) -> Diagnostic {
    RULE.at(span, "the agent would get no task")
        .message("a workbench needs `prompt`")
}
