//! `once-without-invoke`: `once` on an effect that calls nothing (`language` 3.10).

use super::super::prelude::*;
use super::Site;

pub(crate) const RULE: Rule = Rule {
    id: "once-without-invoke",
    level: Level::Warning,
    summary: "`once` on an effect that calls nothing",
    fixable: Fixable::Never,
};

pub(super) fn check(site: &Site<'_>, out: &mut Vec<Diagnostic>) {
    let Some(flag) = site.effect.once.as_ref().filter(|b| b.value.value) else {
        return;
    };
    let binds = site.effect.bind.as_ref().is_some_and(|b| !b.entries.is_empty());
    if binds && site.verb().is_none() && !site.in_effects {
        out.push(
            RULE.at(flag.key, "there is no call to skip")
                .message("`once` skips a call, and this effect makes none"),
        );
    }
}
