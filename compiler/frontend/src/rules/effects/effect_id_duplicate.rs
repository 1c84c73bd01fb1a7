//! `effect-id-duplicate`: the same call-site `id` twice in one room (`language` 3.10).
//!
//! Cassettes and stubs find a call by its id. Two calls that exclude each other by their guards may share one on purpose,
//! so calls with different guards are left alone.

use rustc_hash::FxHashMap;

use super::super::prelude::*;
use super::super::walk;

pub(crate) const RULE: Rule = Rule {
    id: "effect-id-duplicate",
    level: Level::Warning,
    summary: "two calls of one room with the same id",
    fixable: Fixable::Never,
};

pub(super) fn check(room: RoomCx<'_>, out: &mut Vec<Diagnostic>) {
    let mut seen: FxHashMap<(&str, Option<&str>), (kitsoki_syntax::Span, &Effect)> = FxHashMap::default();
    for site in walk::own_effects(room.room()).into_iter().filter(|s| !s.in_effects) {
        let Some(id) = site.effect.id.as_ref().filter(|i| !i.is_blank() && !i.is_templated()) else {
            continue;
        };
        if !site.effect.origin.is_written() || id.made.is_some() {
            continue;
        }
        // Arcs are alternatives of each other: only calls of one list meet.
        let list = (id.as_str(), site.intent.map(Text::as_str));
        match seen.get(&list) {
            None => {
                seen.insert(list, (id.span, site.effect));
            }
            Some((_, other)) if excludes(other, site.effect) || same_call(other, site.effect) => {}
            Some((first, _)) if *first != id.span => out.push(
                RULE.at(room.story.inside(&id.value), "the second call of that id")
                    .message(format!("two calls of one room are called {}", code(id.as_str())))
                    .label(*first, "the first one"),
            ),
            Some(_) => {}
        }
    }
}

/// Guards tell the two apart.
fn excludes(a: &Effect, b: &Effect) -> bool {
    let guard = |e: &Effect| e.when.as_ref().map(|w| w.text.clone());
    guard(a) != guard(b)
}

/// The same call, written twice on purpose.
fn same_call(a: &Effect, b: &Effect) -> bool {
    use crate::surface::Surface;
    let call = |e: &Effect| {
        (
            e.invoke.as_ref().map(|i| i.text.clone()),
            e.with.as_ref().map(|w| w.value.emit()),
        )
    };
    call(a) == call(b)
}
