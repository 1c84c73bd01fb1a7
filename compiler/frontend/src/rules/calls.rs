//! Every host call of a story with its arguments: what the rules about agent verbs and Starlark look at.
//!
//! The reference visits `on_enter`, the effects of arcs and one level of `on_complete` (`language` 4.5, walkers); its agent
//! rules also visit proposals. A call elsewhere runs all the same, so it is here too, marked as not visited: what is wrong
//! with it is a warning.

use kitsoki_diagnostics::Level;

use super::cx::{RoomCx, StoryCx};
use super::walk::{self, EffectSite};
use crate::surface::{Any, Effect, Execute, Field, Map, MapEntry, Optional, Text};

/// One call of a host verb.
#[derive(Clone, Copy)]
pub struct Call<'a> {
    /// The verb.
    pub verb: &'a Text,
    /// The arguments, when there are any.
    pub with: Option<&'a Field<Map<Any>>>,
    /// The effect around it; `None` in a proposal's `execute`.
    pub effect: Option<&'a Effect>,
    /// The room it stands in; `None` in a proposal.
    pub room: Option<RoomCx<'a>>,
    /// Whether the reference's rules look at it.
    pub visited: bool,
}

impl<'a> Call<'a> {
    /// The entry of an argument.
    #[must_use]
    pub fn entry(&self, name: &str) -> Option<&'a MapEntry<Any>> {
        self.with?.value.entry(name)
    }

    /// The value of an argument.
    #[must_use]
    pub fn arg(&self, name: &str) -> Option<&'a Any> {
        self.entry(name).map(|e| &e.value)
    }

    /// The verb behind `host.agent.`, when it is an agent verb.
    #[must_use]
    pub fn agent_verb(&self) -> Option<&'a str> {
        self.verb.as_str().strip_prefix("host.agent.")
    }

    /// The level of a fault in this call that the reference refuses where it looks.
    #[must_use]
    pub fn level(&self) -> Level {
        if self.visited { Level::Error } else { Level::Warning }
    }
}

/// Every call that can run, in the order of the rooms. Calls inside of `effects` lists never run and are left out.
#[must_use]
pub fn of_story<'a>(cx: &'a StoryCx<'a>) -> Vec<Call<'a>> {
    let mut out = Vec::new();
    for room in cx.rooms() {
        for site in walk::own_effects(room.room()) {
            push(&site, Some(room), &mut out);
        }
    }
    for proposal in cx
        .story
        .manifest
        .proposals
        .value()
        .into_iter()
        .flat_map(|p| p.entries.iter())
    {
        if let Some(execute) = proposal.value.execute.value() {
            of_proposal(execute, &mut out);
        }
    }
    out
}

fn push<'a>(site: &EffectSite<'a>, room: Option<RoomCx<'a>>, out: &mut Vec<Call<'a>>) {
    let Some(verb) = &site.effect.invoke else { return };
    if site.in_effects || verb.text.is_empty() {
        return;
    }
    out.push(Call {
        verb: &verb.value,
        with: site.effect.with.as_ref(),
        effect: Some(site.effect),
        room,
        visited: site.on_complete <= 1,
    });
}

/// The call of a proposal and those of its `on_complete`, of which the reference looks at the first level.
fn of_proposal<'a>(execute: &'a Execute, out: &mut Vec<Call<'a>>) {
    if let Some(verb) = execute.invoke.as_ref().filter(|v| !v.text.is_empty()) {
        out.push(Call {
            verb: &verb.value,
            with: execute.with.as_ref(),
            effect: None,
            room: None,
            visited: true,
        });
    }
    for effect in execute.on_complete.value().into_iter().flat_map(|e| e.iter()) {
        for site in walk::nested_in(effect) {
            // Counted from the proposal's call, which is one level further out.
            push(
                &EffectSite {
                    on_complete: site.on_complete + 1,
                    ..site
                },
                None,
                out,
            );
        }
    }
}
