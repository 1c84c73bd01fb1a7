//! One effect with its surroundings: what every rule of this group looks at.

use kitsoki_syntax::Span;

use super::super::walk::{self, EffectSite};
use super::super::{RoomCx, StoryCx};
use crate::surface::{Effect, Optional, Text};

/// An effect and where it stands.
#[derive(Clone, Copy)]
pub(crate) struct Site<'a> {
    /// The story.
    pub(crate) cx: &'a StoryCx<'a>,
    /// The room that owns it; `None` for a proposal's `on_complete`.
    pub(crate) room: Option<RoomCx<'a>>,
    /// The effect.
    pub(crate) effect: &'a Effect,
    /// The intent of the arc that owns it; `None` for `on_enter`.
    pub(crate) intent: Option<&'a Text>,
    /// How many `on_complete` lists are around it.
    pub(crate) on_complete: u32,
    /// It stands in an `effects` list, which never runs.
    pub(crate) in_effects: bool,
}

/// Every effect of a story: those of rooms in the order of the rooms, then those of proposals.
pub(crate) fn of_story<'a>(cx: &'a StoryCx<'a>) -> Vec<Site<'a>> {
    let mut out = of_rooms(cx);
    let proposals = cx.story.manifest.proposals.value();
    for proposal in proposals.into_iter().flat_map(|p| p.entries.iter()) {
        let execute = proposal.value.execute.value();
        let effects = execute.and_then(|e| e.on_complete.value());
        for effect in effects.into_iter().flat_map(|e| e.iter()) {
            for at in walk::nested_in(effect) {
                let mut inner = site(cx, None, &at);
                inner.on_complete += 1;
                out.push(inner);
            }
        }
    }
    out
}

/// Every effect of the rooms.
pub(crate) fn of_rooms<'a>(cx: &'a StoryCx<'a>) -> Vec<Site<'a>> {
    let rooms = cx.rooms();
    rooms
        .flat_map(|room| {
            let sites = walk::effects(room.room()).into_iter();
            sites.map(move |at| site(cx, Some(room), &at))
        })
        .collect()
}

fn site<'a>(cx: &'a StoryCx<'a>, room: Option<RoomCx<'a>>, at: &EffectSite<'a>) -> Site<'a> {
    Site {
        cx,
        room,
        effect: at.effect,
        intent: at.intent,
        on_complete: at.on_complete,
        in_effects: at.in_effects,
    }
}

impl<'a> Site<'a> {
    /// The free-form fallback copied the arc of this effect here.
    pub(crate) fn is_copy(&self) -> bool {
        self.intent.is_some_and(walk::is_copy)
    }

    /// Dotted path of the room; empty in a proposal.
    pub(crate) fn path(&self) -> &'a str {
        self.room.map_or("", |r| r.path())
    }

    /// The actions of the effect with their keys, in the order in which the engine looks for them (`language` 3.10). Empty
    /// `set` and `increment` mappings count as absent.
    pub(crate) fn actions(&self) -> Vec<(&'static str, Span)> {
        let e = self.effect;
        let set = e.set.as_ref().filter(|m| !m.entries.is_empty()).map(|m| m.key);
        let increment = e.increment.as_ref().filter(|m| !m.entries.is_empty()).map(|m| m.key);
        let found = [
            ("set", set),
            ("increment", increment),
            ("commit_operation", e.commit_operation.as_ref().map(|f| f.key)),
            ("persist_draft", e.persist_draft.as_ref().map(|f| f.key)),
            ("discard_operation", e.discard_operation.as_ref().map(|f| f.key)),
            ("say", e.say.as_ref().filter(|t| !t.text.is_empty()).map(|f| f.key)),
            (
                "invoke",
                e.invoke.as_ref().filter(|t| !t.text.is_empty()).map(|f| f.key),
            ),
        ];
        found.into_iter().filter_map(|(word, key)| Some((word, key?))).collect()
    }

    /// The verb of the call, when there is one.
    pub(crate) fn verb(&self) -> Option<&'a Text> {
        self.effect
            .invoke
            .as_ref()
            .map(|v| &v.value)
            .filter(|v| !v.text.is_empty())
    }

    /// A literal, non-empty argument of the call.
    pub(crate) fn literal_arg(&self, name: &str) -> Option<(&'a Text, &'a Text)> {
        let entry = self.effect.with.as_ref()?.value.entry(name)?;
        let text = entry.value.as_text()?;
        (!text.text.is_empty() && !text.is_templated()).then_some((&entry.name, text))
    }
}
