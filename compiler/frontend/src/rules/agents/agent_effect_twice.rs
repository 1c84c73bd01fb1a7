//! `agent-effect-twice`: `effect` beside the deprecated `external_side_effect` (`language` 4.1 A16).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "agent-effect-twice",
    level: Level::Error,
    summary: "an agent declares its class twice",
    fixable: Fixable::Never,
};

/// The places of the two keys.
pub(crate) fn at(effect: Span, old: Span) -> Diagnostic {
    let (first, second) = if effect.range.start() < old.range.start() {
        (effect, old)
    } else {
        (old, effect)
    };
    RULE.at(second, "says it again")
        .message("`effect` and `external_side_effect` say the same thing twice")
        .label(first, "said first")
        .help("remove `external_side_effect`: it is the deprecated one")
}
