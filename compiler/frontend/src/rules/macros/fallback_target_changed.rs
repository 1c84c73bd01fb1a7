//! `fallback-target-changed`: an arm of the fallback's arc that leads elsewhere; its copies lead to the fallback's room (`macros` 5.2).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "fallback-target-changed",
    level: Level::Warning,
    summary: "a fallback arm whose target is replaced",
    fixable: Fixable::Never,
};

/// `target` as the author spells it, `state` the fallback's room.
pub(crate) fn at(place: Span, target: &str, state: &str) -> Diagnostic {
    RULE.at(place, "only here")
        .message(format!(
            "the copies of this arm lead to {}, not to {}",
            code(state),
            code(target)
        ))
        .note("in other rooms the arm's guard and effects are kept and its target is replaced")
}
