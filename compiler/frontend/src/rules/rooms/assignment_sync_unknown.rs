//! `assignment-sync-unknown`: a way to keep an assignment in step that does not exist (`language` D6).

use super::super::names::unknown_word;
use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "assignment-sync-unknown",
    level: Level::Error,
    summary: "an unknown `sync` of an assignment",
    fixable: Fixable::Sometimes,
};

pub(super) fn check(room: RoomCx<'_>, out: &mut Vec<Diagnostic>) {
    let sync = room.room().assignment.as_ref().and_then(|a| a.sync.as_ref());
    if let Some(word) = sync.filter(|s| !["", "linked-ticket"].contains(&s.as_str())) {
        out.push(unknown_word(
            room.story,
            &RULE,
            &word.value,
            "way to sync an assignment",
            &["linked-ticket"],
        ));
    }
}
