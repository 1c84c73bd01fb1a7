//! `dead-effect-part`: an effect with several actions, of which only the first runs (`language` 3.10).
//!
//! "First" is an order of the language, not of the file: set, increment, commit_operation, persist_draft,
//! discard_operation, say, invoke. `emit_intent` is evaluated in addition and never dead.

use super::super::prelude::*;
use super::Site;

pub(crate) const RULE: Rule = Rule {
    id: "dead-effect-part",
    level: Level::Warning,
    summary: "an effect with two actions, of which one never runs",
    fixable: Fixable::Never,
};

pub(super) fn check(site: &Site<'_>, out: &mut Vec<Diagnostic>) {
    if site.in_effects || site.effect.target.as_ref().is_some_and(|t| !t.text.is_empty()) {
        return;
    }
    let actions = site.actions();
    let Some((runs, at)) = actions.first() else { return };
    for (dead, span) in actions.iter().skip(1) {
        out.push(
            RULE.at(*span, "this part never runs")
                .message(format!("{} is dropped: one effect holds one action", code(dead)))
                .label(*at, format!("only {} runs", code(runs)))
                .help("write two effects, in the order in which they should run")
                .note("the Go implementation accepts this and runs the first of set, increment, commit_operation, persist_draft, discard_operation, say, invoke"),
        );
    }
}
