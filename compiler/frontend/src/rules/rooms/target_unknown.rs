//! `target-unknown`: an arc, a timeout or a finished job leads to a room that does not exist (`language` D22, D30, D35).
//!
//! A templated target is not looked at. A redirect after an error is `on-error-unknown`, a missing target of a timeout is
//! `timeout-target-missing`.

use kitsoki_syntax::Span;
use rustc_hash::FxHashSet;

use super::super::manifest::root::UNKNOWN as UNKNOWN_ROOT;
use super::super::names::{Lost, Use};
use super::super::prelude::*;
use super::super::walk;
use super::targets;

pub(crate) const RULE: Rule = Rule {
    id: "target-unknown",
    level: Level::Error,
    summary: "an arc leads to a room that does not exist",
    fixable: Fixable::Sometimes,
};

/// Returns the declarations that were meant by a lost target: nobody is told that nothing leads to them.
pub(super) fn check<'a>(cx: &'a StoryCx<'a>, out: &mut Vec<Diagnostic>) -> FxHashSet<Span> {
    let mut lost = Lost::new(cx);
    if cx.story.incomplete.states || cx.lacks("states") {
        return FxHashSet::default();
    }
    // The root is a path as it is written: a slash is no dot there.
    let root = cx.story.manifest.root.as_ref().and_then(|r| r.value.name());
    if let Some(root) = root.filter(|r| !r.text.is_empty() && !cx.rooms.contains_key(r.as_str())) {
        let used = Use::whole(root, "", &UNKNOWN_ROOT, "the story begins here");
        lost.add(root.as_str(), used);
    }
    for room in cx.rooms() {
        let arcs = room
            .room()
            .on
            .iter()
            .flat_map(|on| on.entries.iter())
            .flat_map(|e| e.value.iter());
        for target in arcs.filter_map(|arc| arc.target.as_ref()) {
            if target.text != "." && is_path(&target.value) {
                targets::check(
                    cx,
                    &target.value,
                    room.path(),
                    &RULE,
                    "this arc leads nowhere",
                    &mut lost,
                );
            }
        }
        if let Some(target) = room.room().timeout.as_ref().and_then(|t| t.target.as_ref())
            && target.text != "."
            && is_path(&target.value)
        {
            targets::check(
                cx,
                &target.value,
                room.path(),
                &RULE,
                "this timeout leads nowhere",
                &mut lost,
            );
        }
        for site in walk::effects(room.room()) {
            let jumps = site.on_complete > 0 && !site.in_effects;
            // A copied arc leads to the same rooms from everywhere, but for a relative path.
            let copy = site.intent.is_some_and(walk::is_copy);
            let looked_at = |t: &Text| jumps && is_path(t) && (!copy || t.text.starts_with('.'));
            if let Some(target) = site.effect.target.as_ref().filter(|t| looked_at(&t.value)) {
                targets::check(
                    cx,
                    &target.value,
                    room.path(),
                    &RULE,
                    "the finished job leads nowhere",
                    &mut lost,
                );
            }
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
        let execute = proposal.value.execute.value();
        for effect in execute
            .and_then(|e| e.on_complete.value())
            .into_iter()
            .flat_map(|e| e.iter())
        {
            for site in walk::nested_in(effect).into_iter().filter(|s| !s.in_effects) {
                if let Some(target) = site.effect.target.as_ref().filter(|t| is_path(&t.value)) {
                    targets::check(
                        cx,
                        &target.value,
                        "",
                        &RULE,
                        "the finished job leads nowhere",
                        &mut lost,
                    );
                }
            }
        }
    }
    targets::report(cx, lost, out)
}

fn is_path(target: &Text) -> bool {
    !target.text.is_empty() && !target.is_templated()
}
