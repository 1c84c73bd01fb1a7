//! `workbench-schema-missing`: a workbench that says no acceptance schema, or a blank one (`macros` 3.2).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "workbench-schema-missing",
    level: Level::Error,
    summary: "a `workbench` without an acceptance schema",
    fixable: Fixable::Never,
};

/// `acceptance_schema` is not there (`span` is the key `workbench`) or blank (`span` is the value).
pub(crate) fn at(span: Span) -> Diagnostic {
    RULE.at(span, "the agent's note has no shape")
        .message("a workbench needs `acceptance_schema`")
}
