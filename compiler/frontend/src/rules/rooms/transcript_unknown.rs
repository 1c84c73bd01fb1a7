//! `transcript-unknown`: a transcript policy that does not exist (`language` D20).

use super::super::names::unknown_word;
use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "transcript-unknown",
    level: Level::Error,
    summary: "an unknown transcript policy",
    fixable: Fixable::Sometimes,
};

const WORDS: [&str; 2] = ["persistent", "transient"];

pub(super) fn check(room: RoomCx<'_>, out: &mut Vec<Diagnostic>) {
    let Some(word) = room.room().transcript.as_ref().filter(|t| !t.text.is_empty()) else {
        return;
    };
    if room.is_top() && !WORDS.contains(&word.as_str()) {
        out.push(unknown_word(
            room.story,
            &RULE,
            &word.value,
            "transcript policy",
            &WORDS,
        ));
    }
}
