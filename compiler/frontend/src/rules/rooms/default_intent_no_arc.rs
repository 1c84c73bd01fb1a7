//! `default-intent-no-arc`: a free-text sink without an arc in the same room (`language` D14).
//!
//! An arc of a room around it does not count. A sink that is no intent at all is `default-intent-undeclared`.

use super::super::names;
use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "default-intent-no-arc",
    level: Level::Error,
    summary: "a free-text sink without an arc in its room",
    fixable: Fixable::Never,
};

pub(super) fn check(room: RoomCx<'_>, out: &mut Vec<Diagnostic>) {
    let Some(sink) = room.room().default_intent.as_ref().filter(|d| !d.text.is_empty()) else {
        return;
    };
    let name = sink.as_str();
    let arcs = room.room().on.value();
    if arcs.is_some_and(|on| on.has(name)) || room.intent(name).is_none() {
        return;
    }
    let spelled = names::spelled(room.story, &sink.value);
    let finding = RULE
        .at(room.story.inside(&sink.value), "no arc takes the text")
        .message(format!("the sink {} has no arc in its room", code(&spelled)))
        .help(format!("add an arc for {} to `on:` of this room", code(&spelled)));
    let outer = room.chain().skip(1).find_map(|r| r.room().on.value()?.entry(name));
    out.push(match outer {
        Some(outer) => finding.label(outer.name.span, "an arc of a room around it does not count"),
        None => finding,
    });
}
