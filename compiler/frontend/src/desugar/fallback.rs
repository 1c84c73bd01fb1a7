//! The free-form fallback: one room's work-intake arc is copied into every menu-shaped room (`macros` 5, `language` 1.8).
//!
//! Without a `free_form_fallback` block the names `landing` and `work` cause it; that is the reference's rule, and we say
//! so in a warning. Guards, effects and views of the copied arms are kept, every target becomes the source room.

use std::sync::Arc as Shared;

use kitsoki_syntax::Span;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::expansion::Expansion;
use super::make::{Make, map_in};
use super::rooms::{self, RoomAt};
use crate::rules::cx::resolve_target;
use crate::rules::macros as rules;
use crate::story::Loaded;
use crate::surface::{Arc, Effect, Field, FreeFormFallback, Intent, List, Made, Manifest, Origin, Room, Text};

/// Which arc is copied.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Source {
    /// Path of the room.
    pub state: SmolStr,
    /// Final name of the intent.
    pub intent: SmolStr,
    /// The author's key that asks for it and the intent in it; `None` for the implicit form.
    pub written: Option<(Span, Span)>,
}

/// The fallback that is in force, whether or not the room and its arc exist.
pub(crate) fn source(story: &Loaded) -> Option<Source> {
    source_in(&story.manifest, &rooms::walk(&story.manifest))
}

fn block(manifest: &Manifest) -> Option<&Field<FreeFormFallback>> {
    manifest.routing.as_ref()?.free_form_fallback.as_ref()
}

/// Where the intent of a block stands.
fn intent_place(block: &Field<FreeFormFallback>) -> Span {
    block.value.intent.as_ref().map_or(block.key, |i| i.value.span)
}

fn trimmed(field: &Option<Field<Text>>) -> &str {
    field.as_ref().map_or("", |f| f.value.text.trim())
}

fn source_in(manifest: &Manifest, all: &[RoomAt]) -> Option<Source> {
    if let Some(block) = block(manifest) {
        let (state, intent) = (trimmed(&block.state), trimmed(&block.intent));
        let both = !state.is_empty() && !intent.is_empty();
        return both.then(|| Source {
            state: state.into(),
            intent: intent.into(),
            written: Some((block.key, intent_place(block))),
        });
    }
    let mut candidates = Vec::new();
    for at in all.iter().filter(|at| at.path.rsplit('.').next() == Some("landing")) {
        let Some(on) = rooms::entry(manifest, at).and_then(|e| e.value.on.as_ref()) else {
            continue;
        };
        // What an earlier run copied is no source.
        let own = on
            .value
            .entries
            .iter()
            .map(|e| &e.name)
            .filter(|n| n.made != Some(Made::Fallback));
        if own.clone().any(|n| n.as_str() == "work") {
            candidates.push((at.path.clone(), SmolStr::new("work")));
        } else {
            candidates.extend(
                own.filter(|n| n.as_str().ends_with("__work"))
                    .map(|n| (at.path.clone(), n.text.clone())),
            );
        }
    }
    candidates.into_iter().min().map(|(state, intent)| Source {
        state,
        intent,
        written: None,
    })
}

/// Checks an explicit fallback and copies the arc.
pub(super) fn apply(cx: &mut Expansion<'_>) {
    let all = rooms::walk(&cx.story.manifest);
    if let Some(finding) = fault(cx, &all) {
        cx.report(finding);
    }
    let Some(source) = source_in(&cx.story.manifest, &all) else {
        return;
    };
    let Some((at, arcs, key)) = arcs_of(&cx.story.manifest, &all, &source) else {
        return;
    };
    let (site, name_site) = source.written.unwrap_or((key.span, key.span));
    let make = Make {
        made: Made::Fallback,
        site,
    };
    let copies = arcs.items.iter().map(|arc| copy(arc, make, &source.state)).collect();
    // Every room holds the same copies: one long arc and many rooms must not cost their product.
    let copies = List::shared(copies, site);
    let mut copied = false;
    for other in &all {
        let takes = rooms::entry(&cx.story.manifest, other).is_some_and(|e| receives(&e.value, &source.intent));
        if other.path == source.state || !takes {
            continue;
        }
        if let Some(room) = rooms::room_mut(&mut cx.story.manifest, other) {
            let name = make.because_of(name_site).text(source.intent.clone());
            map_in(&mut room.on, site).push(name, copies.clone());
            copied = true;
        }
    }
    if copied {
        warn(cx, &source, &at, &arcs, &key);
    }
}

/// The room, its arms and the key of the arc.
fn arcs_of(manifest: &Manifest, all: &[RoomAt], source: &Source) -> Option<(RoomAt, Shared<List<Arc>>, Text)> {
    let at = all.iter().find(|at| at.path == source.state)?;
    let entry = rooms::entry(manifest, at)?
        .value
        .on
        .as_ref()?
        .value
        .entry(&source.intent)?;
    (!entry.value.items.is_empty()).then(|| (at.clone(), entry.value.clone(), entry.name.clone()))
}

/// A menu-shaped room: nothing of its own takes free text.
fn receives(room: &Room, intent: &str) -> bool {
    let terminal = room.terminal.as_ref().is_some_and(|t| t.value.value);
    let sink = room.default_intent.as_ref().is_some_and(|i| !i.text.is_empty());
    !terminal && !sink && room.agent_off_ramp.is_none() && !room.on.as_ref().is_some_and(|on| on.value.has(intent))
}

fn copy(arc: &Arc, make: Make, target: &str) -> Arc {
    let mut copy = Arc {
        origin: make.origin(),
        target: make.text_field(target),
        ..arc.clone()
    };
    for effect in copy.effects.iter_mut().flat_map(|e| e.value.items.iter_mut()) {
        mark(effect, make.origin());
    }
    copy
}

fn mark(effect: &mut Effect, origin: Origin) {
    let mut stack = vec![effect];
    while let Some(effect) = stack.pop() {
        effect.origin = origin;
        stack.extend(effect.on_complete.iter_mut().flat_map(|e| e.value.items.iter_mut()));
    }
}

fn warn(cx: &mut Expansion<'_>, source: &Source, at: &RoomAt, arcs: &List<Arc>, key: &Text) {
    if source.written.is_none() {
        let room = rooms::entry(&cx.story.manifest, at).map(|e| cx.inside(&e.name));
        let finding = rules::implicit_fallback(cx.inside(key), &cx.spelling(key), room);
        cx.report(finding);
    }
    let targets = arcs.items.iter().filter_map(|arc| arc.target.as_ref());
    let changed: Vec<&Text> = targets
        .map(|t| &t.value)
        .filter(|t| t.made.is_none())
        .filter(|t| resolve_target(&source.state, t.as_str()).as_deref() != Some(source.state.as_str()))
        .collect();
    if let Some((first, more)) = changed.split_first() {
        let more: Vec<Span> = more.iter().map(|t| cx.inside(t)).collect();
        let finding = rules::fallback_target_changed(cx.inside(first), &cx.spelling(first), &source.state, &more);
        cx.report(finding);
    }
}

/// The first thing that is wrong with an explicit block (`macros` 5.3).
fn fault(cx: &Expansion<'_>, all: &[RoomAt]) -> Option<kitsoki_diagnostics::Diagnostic> {
    let manifest = &cx.story.manifest;
    let block = block(manifest)?;
    let place = |field: &Option<Field<Text>>| field.as_ref().map_or(block.key, |f| f.value.span);
    let (state, intent) = (trimmed(&block.state), trimmed(&block.intent));
    if state.is_empty() {
        return Some(rules::fallback_state_missing(place(&block.state)));
    }
    if intent.is_empty() {
        return Some(rules::fallback_intent_missing(place(&block.intent)));
    }
    let inside = |field: &Option<Field<Text>>| field.as_ref().map_or(block.key, |f| inside_trimmed(cx, &f.value));
    let Some(at) = all.iter().find(|at| at.path == state) else {
        if cx.story.incomplete.states {
            return None;
        }
        let near = cx.near(state, all.iter().map(|a| a.path.as_str()));
        let near = near.and_then(|n| all.iter().find(|a| a.path == n));
        let near = near.and_then(|a| rooms::entry(manifest, a).map(|e| (a.path.to_string(), cx.inside(&e.name))));
        return Some(rules::fallback_state_unknown(inside(&block.state), state, near));
    };
    let room = &rooms::entry(manifest, at)?.value;
    let Some(arc) = room.on.as_ref().and_then(|on| on.value.entry(intent)) else {
        return Some(rules::fallback_no_arc(inside(&block.intent), state, intent));
    };
    let Some(declared) = in_scope(manifest, all, at, intent) else {
        if cx.story.incomplete.intents {
            return None;
        }
        return Some(rules::fallback_intent_undeclared(
            inside(&block.intent),
            intent,
            cx.inside(&arc.name),
        ));
    };
    let required = |slot: &&crate::surface::MapEntry<crate::surface::Slot>| {
        slot.value.required.as_ref().is_some_and(|r| r.value.value)
    };
    let slots: Vec<_> = declared
        .slots
        .iter()
        .flat_map(|s| s.entries.iter())
        .filter(required)
        .collect();
    let other_type = |ty: &&Field<Text>| !["", "string"].contains(&ty.value.as_str());
    match slots.as_slice() {
        [one] => {
            let ty = one.value.ty.as_ref().filter(other_type)?;
            Some(rules::fallback_slot_shape(
                inside(&block.intent),
                intent,
                1,
                Some(ty.value.span),
            ))
        }
        many => Some(rules::fallback_slot_shape(
            inside(&block.intent),
            intent,
            many.len(),
            None,
        )),
    }
}

/// A name that is trimmed before use: its place is what remains.
fn inside_trimmed(cx: &Expansion<'_>, text: &Text) -> Span {
    let start = text.text.len() - text.text.trim_start().len();
    let small = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    cx.place(text, small(start)..small(start + text.text.trim().len()))
}

/// The definition of an intent from a room outwards, then the global one.
fn in_scope<'m>(manifest: &'m Manifest, all: &[RoomAt], at: &RoomAt, intent: &str) -> Option<&'m Intent> {
    let by_path: FxHashMap<&str, &RoomAt> = all.iter().map(|a| (a.path.as_str(), a)).collect();
    let mut path = at.path.as_str();
    loop {
        let room = by_path.get(path).and_then(|a| rooms::entry(manifest, a));
        let local = room
            .and_then(|e| e.value.intents.as_ref())
            .and_then(|i| i.value.get(intent));
        if local.is_some() {
            return local;
        }
        match path.rsplit_once('.') {
            Some((around, _)) => path = around,
            None => return manifest.intents.as_ref()?.value.get(intent),
        }
    }
}
