//! `agent_off_ramp.capture_free_text` makes the conversation the sink of free text: an intent, an arc that stays, and
//! `default_intent` (`macros` 4).
//!
//! The intent's name carries no prefix of imports, so two rooms of one name cannot both capture. That is the reference's
//! rule; fixtures use the names.

use kitsoki_syntax::Span;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::expansion::Expansion;
use super::make::{Make, map_in};
use super::naming;
use super::rooms::{self, RoomAt};
use crate::rules::macros as rules;
use crate::surface::{List, Made, Room};

/// Expands every capturing off-ramp of the story.
pub(super) fn expand(cx: &mut Expansion<'_>) {
    let capturing: Vec<RoomAt> = rooms::walk(&cx.story.manifest)
        .into_iter()
        .filter(|at| rooms::entry(&cx.story.manifest, at).is_some_and(|e| capture_key(&e.value).is_some()))
        .collect();
    // Which room's capture made an intent: the second of one name is told of the first.
    let mut made: FxHashMap<SmolStr, RoomAt> = FxHashMap::default();
    for at in capturing {
        if expand_room(cx, &at, &mut made).is_none() {
            cx.story.incomplete.intents = true;
        }
    }
}

/// The place of a `capture_free_text` that is in force.
fn capture_key(room: &Room) -> Option<Span> {
    let ramp = room.agent_off_ramp.as_ref().filter(|r| r.enabled)?;
    ramp.capture_free_text.as_ref().filter(|c| c.value.value).map(|c| c.key)
}

fn expand_room(cx: &mut Expansion<'_>, at: &RoomAt, made: &mut FxHashMap<SmolStr, RoomAt>) -> Option<()> {
    let room = std::sync::Arc::clone(&rooms::entry(&cx.story.manifest, at)?.value);
    let site = capture_key(&room)?;
    let make = Make {
        made: Made::Capture,
        site,
    };
    let leaf = at.path.rsplit('.').next().unwrap_or_default();
    let name = naming::discuss(leaf);
    if let Some(sink) = room.default_intent.as_ref().filter(|i| !i.value.is_blank()) {
        cx.report(rules::capture_default_intent(sink.key, site));
        return None;
    }
    if cx.has_intent(&name) {
        let declared = cx.story.manifest.intents.as_ref().and_then(|i| i.value.entry(&name));
        let finding = match made.get(&name) {
            Some(first) => {
                let (here, there) = (
                    import_around(cx, at).unwrap_or(site),
                    place_of(cx, first).unwrap_or(site),
                );
                rules::capture_taken_by_capture(here, &name, there)
            }
            None => rules::capture_intent_taken(declared.map_or(site, |e| cx.inside(&e.name)), &name, site),
        };
        cx.report(finding);
        return None;
    }
    if let Some(arc) = room.on.as_ref().and_then(|on| on.value.entry(&name)) {
        let finding = rules::capture_arc_taken(cx.inside(&arc.name), &name, site);
        cx.report(finding);
        return None;
    }
    made.insert(name.clone(), at.clone());
    cx.declare_intent(make.text(name.clone()), site, || {
        let description = format!(
            "Talk with the \"{leaf}\" room's assistant — questions, follow-ups, anything the room's commands don't cover."
        );
        make.intent_with("Discuss", description, ("message", make.slot(true, "What you want to say or ask.")))
    });
    let room = rooms::room_mut(&mut cx.story.manifest, at)?;
    let arc = make.arc(make.text(at.path.clone()), Vec::new());
    map_in(&mut room.on, site).push(make.text(name.clone()), List::shared(vec![arc], site));
    room.default_intent = make.text_field(name);
    Some(())
}

/// The import through which a room belongs to the story: two children that do not know each other cannot be blamed.
fn import_around(cx: &Expansion<'_>, at: &RoomAt) -> Option<Span> {
    let alias = at.path.split('.').next().filter(|_| !at.prefix.is_empty())?;
    cx.story
        .wrappers
        .iter()
        .find(|w| w.alias == alias)
        .map(|w| w.alias_span)
}

fn place_of(cx: &Expansion<'_>, at: &RoomAt) -> Option<Span> {
    import_around(cx, at).or_else(|| rooms::entry(&cx.story.manifest, at).and_then(|e| capture_key(&e.value)))
}
