//! `starlark-capabilities-invalid`: the `capabilities` of a script have an unknown key, word or kind (`language` D88).

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "starlark-capabilities-invalid",
    level: Level::Error,
    summary: "capabilities that cannot be read",
    fixable: Fixable::Sometimes,
};

use super::capabilities::Fault;

/// A fault in the mapping.
pub(super) fn at(cx: &StoryCx<'_>, fault: Fault) -> Diagnostic {
    fault.finding(cx, &RULE, RULE.level)
}
