//! `once-bind-prefilled`: a `once` call whose bind targets already hold values, so that it never happens (`language` 3.10).
//!
//! A key is prefilled by its default in the world or by a `set` with a literal that runs before the call in the same list.
//! What a guard or another room does is not followed: any other write to a key anywhere in the story ends the suspicion.

use kitsoki_syntax::Span;
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use super::super::prelude::*;
use super::super::walk;

pub(crate) const RULE: Rule = Rule {
    id: "once-bind-prefilled",
    level: Level::Warning,
    summary: "a `once` call that never happens",
    fixable: Fixable::Never,
};

/// The keys that some effect of the story may make unset again, so that a call on them happens after all.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Cleared(FxHashSet<SmolStr>);

impl Cleared {
    /// Collects the keys.
    pub(crate) fn of(cx: &StoryCx<'_>) -> Self {
        let mut keys = FxHashSet::default();
        for room in cx.rooms.values().filter(|e| !e.null) {
            for effect in walk::own_effects(room.room).into_iter().map(|s| s.effect) {
                let set = effect.set.iter().flat_map(|s| s.entries.iter());
                keys.extend(set.filter(|e| !is_value(&e.value)).map(|e| e.name.text.clone()));
                if effect.once.is_none() {
                    let bound = effect.bind.iter().flat_map(|b| b.entries.iter());
                    keys.extend(bound.map(|e| e.name.text.clone()));
                }
            }
        }
        Self(keys)
    }
}

pub(super) fn check(room: RoomCx<'_>, cleared: &Cleared, out: &mut Vec<Diagnostic>) {
    for list in lists(room.room()) {
        let mut before: Vec<(&Text, &Any)> = Vec::new();
        for effect in list {
            if let Some(flag) = effect
                .once
                .as_ref()
                .filter(|f| f.value.value && effect.invoke.is_some())
            {
                let binds = effect.bind.iter().flat_map(|b| b.entries.iter());
                let fillers: Option<Vec<Span>> = binds.map(|b| filled(room, &b.name, &before, cleared)).collect();
                if let Some(first) = fillers.and_then(|f| f.first().copied()) {
                    out.push(
                        RULE.at(flag.key, "skipped every time")
                            .message("a `once` call never happens: its keys hold values already")
                            .label(first, "this is a value")
                            .note("unset means absent, empty text, an empty list or an empty mapping; `0` and `false` are values"),
                    );
                }
            }
            if effect.when.is_none() {
                before.extend(
                    effect
                        .set
                        .iter()
                        .flat_map(|s| s.entries.iter())
                        .map(|e| (&e.name, &e.value)),
                );
            }
        }
    }
}

/// `on_enter` and the effects of every arc.
fn lists(room: &Room) -> Vec<&List<Effect>> {
    let arcs = room
        .on
        .iter()
        .flat_map(|on| on.entries.iter())
        .filter(|e| !walk::is_copy(&e.name))
        .flat_map(|e| e.value.iter());
    let effects = arcs.filter_map(|arc| arc.effects.value());
    room.on_enter.value().into_iter().chain(effects).collect()
}

/// The place of the value that `key` certainly holds when the call is reached.
fn filled(room: RoomCx<'_>, key: &Text, before: &[(&Text, &Any)], cleared: &Cleared) -> Option<Span> {
    if let Some((name, value)) = before.iter().rev().find(|(name, _)| name.text == key.text) {
        return is_value(value).then_some(name.span);
    }
    let var = room.story.world_entry(key.as_str())?;
    let default = var.value.default_value()?;
    let fills = is_value(default) && !cleared.0.contains(key.as_str());
    fills.then_some(default.span)
}

/// Whether the engine takes the value as set. A template may come out empty.
fn is_value(value: &Any) -> bool {
    match &value.kind {
        AnyKind::Null => false,
        AnyKind::Text(text) => !text.text.is_empty() && !text.is_templated(),
        AnyKind::List(items) => !items.is_empty(),
        AnyKind::Map(entries) => !entries.is_empty(),
        _ => true,
    }
}
