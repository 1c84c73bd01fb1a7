//! `starlark-unchecked`: a call that cannot run, in a place that the reference's load check does not visit (`language` 4.5, walkers).

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "starlark-unchecked",
    level: Level::Warning,
    summary: "a faulty script call in a place that the Go implementation does not check",
    fixable: Fixable::Never,
};

/// The finding about a visited call, for one that is not visited.
pub(super) fn instead_of(mut finding: Diagnostic) -> Diagnostic {
    if finding.severity == Level::Error {
        finding.rule = RULE.id;
        finding = finding
            .level(RULE.level)
            .note("the Go implementation does not look here and fails when the call is made");
    }
    finding
}
