//! Keys that an arc into an exit must set (`imports` 8.4). Looks at the child before anything is renamed.

use kitsoki_diagnostics::Diagnostic;
use kitsoki_syntax::Span;
use rustc_hash::FxHashMap;

use super::arrows::EXIT;
use crate::db::Db;
use crate::rules::cx::place;
use crate::rules::imports as rules;
use crate::rules::words::did_you_mean;
use crate::story::{ENGINE_WORLD_KEYS, RESERVED_WORLD_KEYS};
use crate::surface::{Any, AnyKind, Arc, Exit, Manifest, Map, Optional, Room, Text};

use kitsoki_syntax::text_range;

/// What a default says about a required key.
#[derive(Clone, Copy)]
enum Default {
    Says,
    /// An integer zero, which the reference does not recognise as one.
    Zero(Span),
}

/// Checks every arc of a child into one of its exits.
pub(super) fn check(db: &dyn Db, child: &Manifest, rooms: &[&Room], out: &mut Vec<Diagnostic>) {
    let Some(exits) = child
        .exits
        .value()
        .filter(|e| e.entries.iter().any(|e| e.value.requires.is_some()))
    else {
        return;
    };
    let own = child.world.iter().flat_map(|w| w.names());
    let known: Vec<&str> = own.chain(RESERVED_WORLD_KEYS).chain(ENGINE_WORLD_KEYS).collect();
    let mut defaults: FxHashMap<&str, Default> = FxHashMap::default();
    for entry in child.world.iter().flat_map(|w| w.entries.iter()) {
        let name = entry.name.as_str();
        if RESERVED_WORLD_KEYS.contains(&name) {
            continue;
        }
        if let Some(said) = entry.value.default_value().and_then(says) {
            defaults.insert(name, said);
        }
    }
    let mut stack: Vec<&Room> = rooms.iter().rev().copied().collect();
    while let Some(room) = stack.pop() {
        for arc in room
            .on
            .iter()
            .flat_map(|on| on.entries.iter())
            .flat_map(|e| e.value.items.iter())
        {
            arc_into_exit(db, arc, exits, &defaults, &known, out);
        }
        let inner = room.states.iter().flat_map(|s| s.entries.iter()).filter(|e| !e.null);
        stack.extend(inner.map(|e| &*e.value));
    }
}

fn says(value: &Any) -> Option<Default> {
    match &value.kind {
        AnyKind::Null | AnyKind::Bool(false) => None,
        AnyKind::Int(0) | AnyKind::Uint(0) => Some(Default::Zero(value.span)),
        AnyKind::Float(x) if *x == 0.0 => None,
        AnyKind::Text(text) if text.text.is_empty() => None,
        AnyKind::List(items) if items.is_empty() => None,
        AnyKind::Map(entries) if entries.is_empty() => None,
        _ => Some(Default::Says),
    }
}

fn arc_into_exit(
    db: &dyn Db,
    arc: &Arc,
    exits: &Map<Exit>,
    defaults: &FxHashMap<&str, Default>,
    known: &[&str],
    out: &mut Vec<Diagnostic>,
) {
    let Some(target) = &arc.target else { return };
    let Some(exit) = target.as_str().strip_prefix(EXIT) else {
        return;
    };
    let Some(requires) = exits.get(exit).and_then(|e| e.requires.as_ref()) else {
        return;
    };
    // Key -> the guard of the effect that sets it, when every such effect has one.
    let mut set: FxHashMap<&str, Option<Span>> = FxHashMap::default();
    for effect in arc.effects.iter().flat_map(|l| l.items.iter()) {
        let guard = effect.when.as_ref().filter(|w| !w.is_blank()).map(|w| w.key);
        let keys = effect.set.iter().flat_map(|m| m.names());
        let keys = keys.chain(effect.bind.iter().flat_map(|m| m.names()));
        for key in keys.chain(effect.increment.iter().flat_map(|m| m.names())) {
            set.entry(key).and_modify(|g| *g = g.and(guard)).or_insert(guard);
        }
    }
    let at = inside(db, &target.value);
    let mut missing: Vec<&Text> = Vec::new();
    for key in &requires.value {
        match (set.get(key.as_str()), defaults.get(key.as_str())) {
            (Some(Some(guard)), None) => {
                out.push(rules::import_requires_guarded(*guard, key.as_str(), inside(db, key)))
            }
            (Some(_), _) | (None, Some(Default::Says)) => {}
            (None, Some(Default::Zero(zero))) => out.push(rules::import_requires_zero(at, key.as_str(), *zero)),
            (None, None) => missing.push(key),
        }
    }
    // A name that is no key of the child is misspelt where it is required, whatever arcs there are.
    let (missing, lost): (Vec<&Text>, Vec<&Text>) = missing.into_iter().partition(|t| known.contains(&t.as_str()));
    for key in lost {
        let near = did_you_mean(key.as_str(), known.iter().copied());
        out.push(rules::import_exit_requires::lost(
            inside(db, key),
            exit,
            key.as_str(),
            near,
            at,
        ));
    }
    if let Some(first) = missing.first() {
        let names: Vec<&str> = missing.iter().map(|t| t.as_str()).collect();
        out.push(rules::import_exit_requires(at, exit, &names, inside(db, first)));
    }
}

fn inside(db: &dyn Db, text: &Text) -> Span {
    place(db, text, text_range(0, text.text.len()))
}
