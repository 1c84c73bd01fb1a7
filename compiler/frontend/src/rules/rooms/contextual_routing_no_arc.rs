//! `contextual-routing-no-arc`: a lane whose intent has no arc in the room (`language` D17).

use super::super::names;
use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "contextual-routing-no-arc",
    level: Level::Error,
    summary: "a lane of contextual routing without an arc",
    fixable: Fixable::Never,
};

pub(super) fn check(room: RoomCx<'_>, out: &mut Vec<Diagnostic>) {
    let Some(routing) = &room.room().contextual_routing else {
        return;
    };
    if !routing.enabled.as_ref().is_some_and(|e| e.value.value) {
        return;
    }
    let arcs = room.room().on.value();
    for lane in [
        &routing.room_chat,
        &routing.plan_accept_intent,
        &routing.plan_refine_intent,
    ] {
        let Some(lane) = lane.as_ref().filter(|l| !l.text.is_empty()) else {
            continue;
        };
        // An intent that does not exist has been reported as such.
        if arcs.is_some_and(|on| on.has(lane.as_str())) || room.intent(lane.as_str()).is_none() {
            continue;
        }
        let spelled = names::spelled(room.story, &lane.value);
        out.push(
            RULE.at(room.story.inside(&lane.value), "no arc takes it here")
                .message(format!("the lane {} has no arc in its room", code(&spelled)))
                .help(format!("add an arc for {} to `on:` of this room", code(&spelled))),
        );
    }
}
