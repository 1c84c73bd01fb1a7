//! `workbench-plan-not-json`: `plan: true` with a schema file that is no JSON object (`macros` 3.5).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "workbench-plan-not-json",
    level: Level::Error,
    summary: "`plan: true` and a schema that is no JSON object",
    fixable: Fixable::Never,
};

/// `what` says what the file is instead; `schema` names it.
pub(crate) fn at(place: Span, schema: Span, what: &str) -> Diagnostic {
    let finding = RULE
        .at(place, what)
        .message("the acceptance schema of a plan is no JSON object");
    if place == schema {
        finding
    } else {
        finding.label(schema, "named here")
    }
}
