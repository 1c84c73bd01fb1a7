//! `workbench-plan-required`: `plan: true` with a plan property that leaves out `goal`, `step` or `verify` (`macros` 3.5).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "workbench-plan-required",
    level: Level::Error,
    summary: "`plan: true` and a plan that does not require goal, step and verify",
    fixable: Fixable::Never,
};

/// `missing` is the first word that the plan does not require. `referenced`: the property is a `$ref`.
pub(crate) fn at(place: Span, also: Span, missing: &str, referenced: bool) -> Diagnostic {
    let finding = RULE.at(place, format!("does not require {}", code(missing)));
    let finding = finding
        .message(format!("the plan does not require {}", code(missing)))
        .label(also, "asked for here");
    if referenced {
        finding.note("`$ref` is not followed: the list must stand at the property itself")
    } else {
        finding.help("`required` of the `plan` property lists `goal`, `step` and `verify`")
    }
}
