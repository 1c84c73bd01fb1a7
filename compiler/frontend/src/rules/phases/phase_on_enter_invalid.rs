//! `phase-on-enter-invalid`: `on_enter` of a phase replaces that of the template's room (`macros` 2.10). The reader of the graph speaks.

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "phase-on-enter-invalid",
    level: Level::Error,
    summary: "a phase's `on_enter` that is no list of effects",
    fixable: Fixable::Never,
};

/// Turns what the reader says about the effects of a phase into findings of this rule.
pub(crate) fn adopt(findings: &mut [Diagnostic]) {
    for finding in findings.iter_mut().filter(|f| f.severity == Level::Error) {
        finding.rule = RULE.id;
    }
}
