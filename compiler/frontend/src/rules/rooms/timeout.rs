//! What a timeout needs: when and where to (`language` D33 to D35).

use super::super::durations;
use super::super::prelude::*;

pub(crate) const AFTER_MISSING: Rule = rule("timeout-after-missing", "a timeout without a time");
pub(crate) const AFTER_INVALID: Rule = rule("timeout-after-invalid", "a timeout whose time is no duration");
pub(crate) const TARGET_MISSING: Rule = rule("timeout-target-missing", "a timeout without a target");

const fn rule(id: &'static str, summary: &'static str) -> Rule {
    Rule {
        id,
        level: Level::Error,
        summary,
        fixable: Fixable::Never,
    }
}

pub(super) fn check(room: RoomCx<'_>, out: &mut Vec<Diagnostic>) {
    let Some(timeout) = &room.room().timeout else { return };
    match timeout.after.as_ref().filter(|a| !a.text.is_empty()) {
        None => out.push(
            AFTER_MISSING
                .at(
                    timeout.after.as_ref().map_or(timeout.key, |a| a.span),
                    "after which time?",
                )
                .message("a timeout needs `after`")
                .help("write a duration, for example `after: 10m`"),
        ),
        Some(after) if !after.is_templated() && durations::parse(after.as_str()).is_none() => out.push(
            AFTER_INVALID
                .at(after.span, "no duration")
                .message(format!("{} is no duration", code(after.as_str())))
                .help(durations::advice(after.as_str())),
        ),
        Some(_) => {}
    }
    if timeout.target.as_ref().is_none_or(|t| t.text.is_empty()) {
        out.push(
            TARGET_MISSING
                .at(
                    timeout.target.as_ref().map_or(timeout.key, |t| t.span),
                    "where does it lead?",
                )
                .message("a timeout needs a `target`"),
        );
    }
}
