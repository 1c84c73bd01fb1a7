//! `decider-word-unknown`: who decides a room's gate is neither `human` nor `llm` (`language` D32).

use super::super::names::unknown_word;
use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "decider-word-unknown",
    level: Level::Error,
    summary: "a room's decider is neither `human` nor `llm`",
    fixable: Fixable::Sometimes,
};

const WORDS: [&str; 2] = ["human", "llm"];

pub(super) fn check(room: RoomCx<'_>, out: &mut Vec<Diagnostic>) {
    let Some(word) = room.room().decider.as_ref().filter(|t| !t.text.is_empty()) else {
        return;
    };
    if !WORDS.contains(&word.as_str()) {
        out.push(unknown_word(
            room.story,
            &RULE,
            &word.value,
            "decider of a room",
            &WORDS,
        ));
    }
}
