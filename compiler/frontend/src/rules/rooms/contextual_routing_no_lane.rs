//! `contextual-routing-no-lane`: contextual routing that is on and has no lane (`language` D17).

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "contextual-routing-no-lane",
    level: Level::Error,
    summary: "contextual routing without a lane",
    fixable: Fixable::Never,
};

pub(super) fn check(room: RoomCx<'_>, out: &mut Vec<Diagnostic>) {
    let Some(routing) = &room.room().contextual_routing else {
        return;
    };
    if !routing.enabled.as_ref().is_some_and(|e| e.value.value) {
        return;
    }
    let lanes = [&routing.room_chat, &routing.help_chat, &routing.meta_chat];
    if lanes.iter().all(|l| l.as_ref().is_none_or(|l| l.text.is_empty())) {
        out.push(
            RULE.at(routing.key, "leads to no conversation")
                .message("contextual routing needs a lane")
                .help("name one with `room_chat`, `help_chat` or `meta_chat`"),
        );
    }
}
