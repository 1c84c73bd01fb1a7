//! `background-without-invoke`: `background: true` on an effect that calls nothing (`language` D27, D92).

use super::super::prelude::*;
use super::Site;

pub(crate) const RULE: Rule = Rule {
    id: "background-without-invoke",
    level: Level::Error,
    summary: "a background job that calls nothing",
    fixable: Fixable::Never,
};

pub(super) fn check(site: &Site<'_>, out: &mut Vec<Diagnostic>) {
    let Some(flag) = site.effect.background.as_ref().filter(|b| b.value.value) else {
        return;
    };
    // Inside of `on_complete` the other rule about background jobs speaks.
    if site.verb().is_none() && site.on_complete == 0 && !site.in_effects {
        out.push(at(flag.key));
    }
}

/// The call of a proposal: the same rule holds.
pub(super) fn check_proposal(execute: &Execute, out: &mut Vec<Diagnostic>) {
    let runs = execute.background.as_ref().filter(|b| b.value.value);
    if let Some(flag) = runs.filter(|_| execute.invoke.as_ref().is_none_or(|v| v.text.is_empty())) {
        out.push(at(flag.key));
    }
}

fn at(key: kitsoki_syntax::Span) -> Diagnostic {
    RULE.at(key, "nothing to run")
        .message("a background job needs a call")
        .help("name the verb with `invoke`, or leave `background` out")
}
