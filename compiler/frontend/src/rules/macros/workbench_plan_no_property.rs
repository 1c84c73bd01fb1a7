//! `workbench-plan-no-property`: `plan: true` with a schema that has no object `properties.plan` (`macros` 3.5).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "workbench-plan-no-property",
    level: Level::Error,
    summary: "`plan: true` and a schema without a `plan` property",
    fixable: Fixable::Never,
};

/// `schema` names the file, `plan` asks for it.
pub(crate) fn at(schema: Span, plan: Span) -> Diagnostic {
    RULE.at(schema, "no `plan` under its `properties`")
        .message("the acceptance schema of a plan has no `plan` property")
        .label(plan, "asks for it")
        .help("add `plan` to `properties`: an object that requires `goal`, `step` and `verify`")
}
