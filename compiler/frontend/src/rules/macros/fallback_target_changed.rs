//! `fallback-target-changed`: an arm of the fallback's arc that leads elsewhere; its copies lead to the fallback's room (`macros` 5.2).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "fallback-target-changed",
    level: Level::Warning,
    summary: "a fallback arm whose target is replaced",
    fixable: Fixable::Never,
};

/// Arms that are shown.
const SHOWN: usize = 8;

/// The first such arm with its target as the author spells it, the fallback's room, and the other arms: one arc is one
/// finding, however many arms it has.
pub(crate) fn at(place: Span, target: &str, state: &str, more: &[Span]) -> Diagnostic {
    let finding = RULE.at(place, "only here").message(match more.len() {
        0 => format!(
            "the copies of this arm lead to {}, not to {}",
            code(state),
            code(target)
        ),
        n => format!(
            "the copies of {} arms lead to {}, not where these do",
            n + 1,
            code(state)
        ),
    });
    let shown = more.iter().take(SHOWN);
    shown
        .fold(finding, |finding, at| finding.label(*at, "only here as well"))
        .note("in other rooms the arm's guard and effects are kept and its target is replaced")
}
