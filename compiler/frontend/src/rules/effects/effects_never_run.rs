//! `effects-never-run`: the `effects` list of an effect is read and never run (`language` 3.10).

use super::super::prelude::*;
use super::Site;

pub(crate) const RULE: Rule = Rule {
    id: "effects-never-run",
    level: Level::Warning,
    summary: "the `effects` of an effect never run",
    fixable: Fixable::Never,
};

pub(super) fn check(site: &Site<'_>, out: &mut Vec<Diagnostic>) {
    let Some(inner) = site.effect.effects.as_ref().filter(|e| !e.is_empty()) else {
        return;
    };
    if site.in_effects {
        return;
    }
    let help = if site.verb().is_some() && site.effect.background.is_some() {
        "effects that run when a job ends stand in `on_complete`"
    } else {
        "write them as effects of their own, one after the other"
    };
    out.push(
        RULE.at(inner.key, "nothing in this list happens")
            .message("an effect has no effects of its own: the list is dropped")
            .help(help),
    );
}
