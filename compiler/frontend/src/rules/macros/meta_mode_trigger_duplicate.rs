//! `meta-mode-trigger-duplicate`: two meta modes of one group with the same trigger (`language` 4.5, D65).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "meta-mode-trigger-duplicate",
    level: Level::Error,
    summary: "a trigger used twice in one group",
    fixable: Fixable::Never,
};

/// Two values; the later one in the file is the fault.
pub(crate) fn at(one: Span, other: Span, trigger: &str) -> Diagnostic {
    let order = |s: &Span| (s.file.0, s.range.start());
    let (first, second) = if order(&one) < order(&other) {
        (one, other)
    } else {
        (other, one)
    };
    RULE.at(second, "used a second time")
        .message(format!("the trigger {} is taken in this group", code(trigger)))
        .label(first, "the first use")
}
