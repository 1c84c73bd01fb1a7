//! `write-mode-no-agent`: a read-only room that asks no agent (`language` D43).
//!
//! What counts is a conversation, an off-ramp, or a `task` or `converse` among the room's own effects; effects of a
//! finished job and the other agent verbs do not.

use super::super::prelude::*;
use super::super::walk;

pub(crate) const RULE: Rule = Rule {
    id: "write-mode-no-agent",
    level: Level::Error,
    summary: "a read-only room that asks no agent",
    fixable: Fixable::Never,
};

pub(super) fn check(room: RoomCx<'_>, out: &mut Vec<Diagnostic>) {
    let body = room.room();
    let Some(mode) = body.write_mode.as_ref().filter(|m| m.text == "read_only") else {
        return;
    };
    let talks = body.mode.as_ref().is_some_and(|m| m.text == "conversational")
        || body.agent_off_ramp.as_ref().is_some_and(|o| o.enabled);
    if !talks && dispatched(body).next().is_none() {
        out.push(
            RULE.at(mode.span, "nothing here could write")
                .message("a read-only room must ask an agent")
                .help("it needs a `host.agent.task` or `host.agent.converse` call, an `agent_off_ramp`, or `mode: conversational`"),
        );
    }
}

/// The `task` and `converse` calls among the direct effects of a room.
pub(super) fn dispatched(room: &Room) -> impl Iterator<Item = &Effect> {
    walk::effects(room)
        .into_iter()
        .filter(|s| s.on_complete == 0 && !s.in_effects)
        .map(|s| s.effect)
        .filter(|e| {
            let verb = e.invoke.as_ref().map(|v| v.as_str());
            matches!(verb, Some("host.agent.task" | "host.agent.converse"))
        })
}
