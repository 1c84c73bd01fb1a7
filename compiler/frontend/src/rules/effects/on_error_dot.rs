//! `on-error-dot`: `on_error: .` stays only because the room `.` is not found (`language` 3.10).

use super::super::prelude::*;
use super::Site;

pub(crate) const RULE: Rule = Rule {
    id: "on-error-dot",
    level: Level::Hint,
    summary: "`on_error: .` looks for a room called `.`",
    fixable: Fixable::Never,
};

pub(super) fn check(site: &Site<'_>, out: &mut Vec<Diagnostic>) {
    let Some(redirect) = site.effect.on_error.as_ref().filter(|t| t.text == ".") else {
        return;
    };
    if !site.in_effects {
        out.push(
            RULE.at(redirect.span, "meant as \"stay\"")
                .message("`.` is no room: a failed call stays because the look-up fails")
                .note("as the first effect of a session the failed look-up ends the start instead"),
        );
    }
}
