//! `meta-trigger-shared`: two un-namespaced meta modes with one trigger; only one of them can be reached (`language` 3.17).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "meta-trigger-shared",
    level: Level::Warning,
    summary: "two meta modes without a group and with the same trigger",
    fixable: Fixable::Never,
};

/// The values of the last and the first such mode in the file.
pub(crate) fn at(last: Span, first: Span, trigger: &str) -> Diagnostic {
    RULE.at(last, "used a second time")
        .message(format!("two meta modes have the trigger {}", code(trigger)))
        .label(first, "the first use")
        .note("the Go implementation accepts this; one of the modes can never be entered")
}
