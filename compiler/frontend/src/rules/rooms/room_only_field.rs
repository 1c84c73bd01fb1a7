//! `room-only-field`: `transcript` or `theme` on a nested room (`language` D19).

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "room-only-field",
    level: Level::Error,
    summary: "a key of top-level rooms on a nested one",
    fixable: Fixable::Never,
};

pub(super) fn check(room: RoomCx<'_>, out: &mut Vec<Diagnostic>) {
    let body = room.room();
    if room.is_top() {
        return;
    }
    let outermost = room.chain().last().map(|r| r.name().span);
    for (word, field) in [("transcript", &body.transcript), ("theme", &body.theme)] {
        let Some(field) = field.as_ref().filter(|f| !f.text.is_empty()) else {
            continue;
        };
        let finding = RULE
            .at(field.key, "this room is inside of another one")
            .message(format!("only a top-level room has a {}", code(word)))
            .help("write it on the outermost room");
        out.push(match outermost {
            Some(span) => finding.label(span, "the outermost room"),
            None => finding,
        });
    }
}
