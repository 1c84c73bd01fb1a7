//! `intercept-drive-unknown`: `intercept_drive` is not `rest` (`language` D48).

use super::super::names::unknown_word;
use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "intercept-drive-unknown",
    level: Level::Error,
    summary: "an unknown `intercept_drive`",
    fixable: Fixable::Sometimes,
};

pub(super) fn check(room: RoomCx<'_>, out: &mut Vec<Diagnostic>) {
    let word = room.room().intercept_drive.as_ref();
    if let Some(word) = word.filter(|t| !["", "rest"].contains(&t.as_str())) {
        out.push(unknown_word(
            room.story,
            &RULE,
            &word.value,
            "way to intercept",
            &["rest"],
        ));
    }
}
