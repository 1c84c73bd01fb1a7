//! `dead-end`: a room that is not terminal and from which nothing leads on (`language` "go further").
//!
//! An arc that stays, a timeout, a sink of free text, an agent that converses and an emitted intent are all ways on. Arcs
//! that the language adds to every room do not count.

use super::super::names;
use super::super::prelude::*;
use super::super::walk;

pub(crate) const RULE: Rule = Rule {
    id: "dead-end",
    level: Level::Warning,
    summary: "a room that is not terminal and has no way out",
    fixable: Fixable::Never,
};

pub(super) fn check(room: RoomCx<'_>, out: &mut Vec<Diagnostic>) {
    let name = room.name();
    if name.made.is_some() || !room.room().origin.is_written() || leads_on(room) || is_faulty(room) {
        return;
    }
    out.push(
        RULE.at(room.story.inside(name), "no arc, no timeout, not terminal")
            .message(format!(
                "nothing leads out of room {}",
                code(&names::spelled(room.story, name))
            ))
            .help("add an arc, or `terminal: true` when the session ends here"),
    );
}

fn leads_on(room: RoomCx<'_>) -> bool {
    let ends = room.room().terminal.as_ref().is_some_and(|t| t.value.value);
    let has_children = room.room().states.value().is_some_and(|s| !s.entries.is_empty());
    ends || has_children || room.chain().any(|r| has_way(r.room())) || in_parallel(room)
}

/// A region may rest in its last room: its siblings go on.
fn in_parallel(room: RoomCx<'_>) -> bool {
    room.chain()
        .skip(1)
        .any(|r| r.room().ty.as_ref().is_some_and(|t| t.text == "parallel"))
}

fn has_way(room: &Room) -> bool {
    let arcs = room.on.iter().flat_map(|on| on.entries.iter());
    let written = |e: &MapEntry<std::sync::Arc<List<Arc>>>| e.name.made != Some(Made::StoryAuthoring);
    let ramp = room.agent_off_ramp.as_ref().is_some_and(|o| o.enabled);
    let talks = room.mode.as_ref().is_some_and(|m| m.text == "conversational");
    arcs.into_iter().any(written)
        || ramp
        || talks
        || room.timeout.is_some()
        || room.default_intent.is_some()
        || room.workbench.is_some()
        || room.import_alias.is_some()
        || walk::effects(room)
            .iter()
            .any(|s| s.effect.target.is_some() || s.effect.emit_intent.is_some())
}

/// A part of the room could not be read: a way out may stand there.
fn is_faulty(room: RoomCx<'_>) -> bool {
    room.story.is_faulty(room.room().span) || room.story.story.incomplete.other
}
