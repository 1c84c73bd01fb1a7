//! `write-mode-unknown`: a write mode that does not exist (`language` D42).

use super::super::names::unknown_word;
use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "write-mode-unknown",
    level: Level::Error,
    summary: "an unknown write mode",
    fixable: Fixable::Sometimes,
};

const WORDS: [&str; 2] = ["open", "read_only"];

pub(super) fn check(room: RoomCx<'_>, out: &mut Vec<Diagnostic>) {
    let Some(word) = room.room().write_mode.as_ref().filter(|t| !t.text.is_empty()) else {
        return;
    };
    if !WORDS.contains(&word.as_str()) {
        out.push(unknown_word(room.story, &RULE, &word.value, "write mode", &WORDS));
    }
}
