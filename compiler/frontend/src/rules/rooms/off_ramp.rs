//! Rooms that cannot have an off-ramp (`language` D39, D40).

use super::super::prelude::*;

pub(crate) const TERMINAL: Rule = Rule {
    id: "off-ramp-terminal",
    level: Level::Error,
    summary: "an off-ramp on a terminal room",
    fixable: Fixable::Never,
};

pub(crate) const CONVERSATIONAL: Rule = Rule {
    id: "off-ramp-conversational",
    level: Level::Error,
    summary: "an off-ramp on a conversational room",
    fixable: Fixable::Never,
};

pub(super) fn check(room: RoomCx<'_>, out: &mut Vec<Diagnostic>) {
    let body = room.room();
    let Some(ramp) = body.agent_off_ramp.as_ref().filter(|o| o.enabled) else {
        return;
    };
    if let Some(terminal) = body.terminal.as_ref().filter(|t| t.value.value) {
        out.push(
            TERMINAL
                .at(ramp.key, "no text arrives here")
                .message("a terminal room cannot have an off-ramp")
                .label(terminal.key, "the session ends here"),
        );
    }
    if let Some(mode) = body.mode.as_ref().filter(|m| m.text == "conversational") {
        out.push(
            CONVERSATIONAL
                .at(ramp.key, "free text has a place already")
                .message("a conversational room cannot have an off-ramp")
                .label(mode.key, "the room is a conversation itself"),
        );
    }
}
