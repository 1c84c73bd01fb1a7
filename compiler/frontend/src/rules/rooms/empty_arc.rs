//! `empty-arc`: an intent with an empty list of arms (`language` 2.5).

use super::super::names;
use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "empty-arc",
    level: Level::Warning,
    summary: "an arc without arms",
    fixable: Fixable::Never,
};

pub(super) fn check(room: RoomCx<'_>, out: &mut Vec<Diagnostic>) {
    for entry in room.room().on.iter().flat_map(|on| on.entries.iter()) {
        if entry.value.is_empty() && entry.name.made.is_none() && !room.story.is_faulty(entry.value.span) {
            let name = names::spelled(room.story, &entry.name);
            out.push(
                RULE.at(entry.name.span, "nothing happens")
                    .message(format!("the arc {} has no arms", code(&name)))
                    .help("write at least one arm, for example `[{ target: . }]` to stay"),
            );
        }
    }
}
