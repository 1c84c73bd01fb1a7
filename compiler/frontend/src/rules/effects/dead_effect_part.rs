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
    without_call(site, out);
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

/// Arguments and results of a call that the effect does not make.
fn without_call(site: &Site<'_>, out: &mut Vec<Diagnostic>) {
    let effect = site.effect;
    let background = effect.background.as_ref().is_some_and(|b| b.value.value);
    let once = effect.once.as_ref().is_some_and(|o| o.value.value);
    // Those two have rules of their own.
    if site.verb().is_some() || background || once || site.cx.is_faulty(effect.span) {
        return;
    }
    let with = effect
        .with
        .as_ref()
        .filter(|w| !w.entries.is_empty())
        .map(|w| ("with", w.key));
    let bind = effect
        .bind
        .as_ref()
        .filter(|b| !b.entries.is_empty())
        .map(|b| ("bind", b.key));
    if let Some((word, key)) = with.or(bind) {
        out.push(
            RULE.at(key, "belongs to no call")
                .message(format!("an effect has {} and no `invoke`", code(word)))
                .help("name the verb with `invoke`: without it nothing is called")
                .note("the Go implementation accepts this and calls nothing"),
        );
    }
}
