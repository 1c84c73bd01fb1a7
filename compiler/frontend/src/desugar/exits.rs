//! `@exit:` targets of a story that runs by itself: each used exit becomes a terminal room (`language` 1.7).

use kitsoki_syntax::Span;
use smol_str::SmolStr;
use std::sync::Arc as Shared;

use super::expansion::Expansion;
use super::make::{Make, map_in};
use super::naming;
use super::rooms;
use crate::rules::macros as rules;
use crate::surface::{Made, Room, Text};

const MARK: &str = "@exit:";

/// Makes the rooms and rewrites the targets of arcs and timeouts. Without `exits:` nothing happens here.
pub(super) fn materialise(cx: &mut Expansion<'_>) {
    let Some(exits) = cx.story.manifest.exits.as_ref().filter(|e| !e.entries.is_empty()) else {
        return;
    };
    let declared: rustc_hash::FxHashSet<SmolStr> = exits.entries.iter().map(|e| e.name.text.clone()).collect();
    let mut used: indexmap::IndexMap<SmolStr, Span> = indexmap::IndexMap::new();
    let mut unknown: indexmap::IndexMap<SmolStr, Vec<Text>> = indexmap::IndexMap::new();
    let mut rooms_with = Vec::new();
    for at in rooms::walk(&cx.story.manifest) {
        let Some(entry) = rooms::entry(&cx.story.manifest, &at) else {
            continue;
        };
        let mut found = false;
        for target in targets(&entry.value) {
            let Some(name) = target.text.strip_prefix(MARK) else {
                continue;
            };
            if declared.contains(name) {
                used.entry(name.into()).or_insert(target.span);
                found = true;
            } else {
                unknown.entry(name.into()).or_default().push(target.clone());
            }
        }
        if found {
            rooms_with.push(at);
        }
    }
    for (name, targets) in &unknown {
        let Some((first, more)) = targets.split_first() else {
            continue;
        };
        let exits = cx.story.manifest.exits.as_ref();
        let near = cx.near(name, exits.iter().flat_map(|e| e.value.names()));
        let near = near
            .and_then(|n| exits?.value.entry(n))
            .map(|e| (e.name.text.to_string(), cx.inside(&e.name)));
        let list = exits.map(|e| e.key);
        let more: Vec<Span> = more.iter().map(|t| cx.inside(t)).collect();
        let finding = rules::exit_undeclared(cx.inside(first), name, near, list, &more);
        cx.report(finding);
        cx.story.incomplete.states = true;
    }
    let states = cx.story.manifest.states.iter().flat_map(|s| s.value.names());
    let mut taken: rustc_hash::FxHashSet<SmolStr> = states.map(SmolStr::new).collect();
    for (name, site) in used {
        let make = Make { made: Made::Exit, site };
        let states = map_in(&mut cx.story.manifest.states, site);
        let state = naming::exit_state(&name);
        if taken.insert(state.clone()) {
            let room = Room {
                terminal: make.flag(true),
                description: make.text_field(format!("Exit: {name}")),
                ..make.room()
            };
            states.push(make.text(state), Shared::new(room));
        }
    }
    for at in rooms_with {
        if let Some(room) = rooms::room_mut(&mut cx.story.manifest, &at) {
            rewrite(room, &declared);
        }
    }
}

fn targets(room: &Room) -> impl Iterator<Item = &Text> {
    let arcs = room
        .on
        .iter()
        .flat_map(|on| on.entries.iter())
        .flat_map(|e| e.value.items.iter());
    let timeout = room.timeout.iter().filter_map(|t| t.target.as_ref());
    arcs.filter_map(|a| a.target.as_ref()).chain(timeout).map(|t| &t.value)
}

fn rewrite(room: &mut Room, declared: &rustc_hash::FxHashSet<SmolStr>) {
    let arcs = room
        .on
        .iter_mut()
        .flat_map(|on| on.value.entries.iter_mut())
        .flat_map(|e| Shared::make_mut(&mut e.value).items.iter_mut());
    let timeout = room.timeout.iter_mut().filter_map(|t| t.value.target.as_mut());
    for target in arcs.filter_map(|a| a.target.as_mut()).chain(timeout) {
        if let Some(name) = target.value.text.strip_prefix(MARK)
            && declared.contains(name)
        {
            let state = naming::exit_state(name).to_string();
            target.value = target.value.replaced(&[(0..target.value.text.len(), state)]);
        }
    }
}
