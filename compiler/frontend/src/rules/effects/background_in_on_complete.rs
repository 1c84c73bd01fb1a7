//! `background-in-on-complete`: a job that starts inside of `on_complete` (`language` D27, D92).

use super::super::prelude::*;
use super::Site;

pub(crate) const RULE: Rule = Rule {
    id: "background-in-on-complete",
    level: Level::Error,
    summary: "a background job inside of `on_complete`",
    fixable: Fixable::Never,
};

pub(super) fn check(site: &Site<'_>, out: &mut Vec<Diagnostic>) {
    let Some(flag) = site.effect.background.as_ref().filter(|b| b.value.value) else {
        return;
    };
    if site.on_complete > 0 && !site.in_effects {
        out.push(
            RULE.at(flag.key, "no job may start here")
                .message("`on_complete` cannot start another background job")
                .help("emit an intent or lead to a room whose `on_enter` starts the job"),
        );
    }
}
