//! What can be wrong with a story: one rule per file, grouped as in the documentation.
//!
//! A rule is a constant [`Rule`](kitsoki_diagnostics::Rule) and a function that returns findings. `decoding` and `syntax`
//! hold the rules that speak while a file is read; all others run over the finished story, where every text leads back to
//! the author's place ([`StoryCx::place`]).

mod advice;
pub mod agent_verbs;
pub mod agents;
mod blocks;
pub mod calls;
pub mod cx;
pub mod decoding;
pub(crate) mod durations;
pub mod effects;
pub mod expressions;
pub mod habits;
pub mod imports;
pub mod include;
pub mod macros;
pub mod manifest;
pub(crate) mod names;
pub(crate) mod paths;
pub mod phases;
pub mod rooms;
pub mod routing;
pub(crate) mod seen;
pub mod starlark;
pub mod syntax;
pub(crate) mod units;
pub mod views;
pub mod walk;
pub mod words;

use kitsoki_diagnostics::{Diagnostic, Registry, Rule};

pub use cx::{RoomCx, StoryCx};

use crate::db::{Database, Db};
use crate::story::Loaded;

/// What a rule file needs.
pub(crate) mod prelude {
    pub(crate) use kitsoki_diagnostics::{Diagnostic, Fix, Fixable, Level, Rule, code};

    pub(crate) use super::cx::{RoomCx, StoryCx};
    pub(crate) use crate::surface::*;
}

/// The rules of every group.
#[must_use]
pub fn all() -> Vec<&'static Rule> {
    let mut rules = Vec::new();
    rules.extend_from_slice(agent_verbs::RULES);
    rules.extend_from_slice(agents::RULES);
    rules.extend_from_slice(decoding::RULES);
    rules.extend_from_slice(effects::RULES);
    rules.extend_from_slice(expressions::RULES);
    rules.extend_from_slice(imports::RULES);
    rules.extend_from_slice(include::RULES);
    rules.extend_from_slice(macros::RULES);
    rules.extend_from_slice(manifest::RULES);
    rules.extend_from_slice(phases::RULES);
    rules.extend_from_slice(rooms::RULES);
    rules.extend_from_slice(routing::RULES);
    rules.extend_from_slice(starlark::RULES);
    rules.extend_from_slice(syntax::RULES);
    rules.extend_from_slice(views::RULES);
    rules
}

/// The registry of every rule, those about suppressions among them: levels, did-you-mean for rule names.
#[must_use]
pub fn registry() -> Registry {
    let mut rules = all();
    rules.extend(kitsoki_diagnostics::suppress::RULES);
    Registry::new(rules)
}

/// Everything that is wrong with a story: what its loading found, then the rules.
///
/// Places are in the texts that were `seen`.
pub(crate) fn check(db: &dyn Db, seen: &seen::Seen) -> Vec<Diagnostic> {
    let story: &Loaded = &seen.story;
    let cx = StoryCx::new(db, story).with_sources(&seen.sources);
    let calls = calls::of_story(&cx);
    if db.editing() {
        let root = story.file;
        let found: Vec<&units::Found> = units::names(story)
            .into_iter()
            .map(|name| units::unit(db, root, name))
            .collect();
        // A unit that was looked at before words changed speaks of places in the earlier text.
        if !units::are_present(&found, &seen.sources) {
            return at_once(&cx, &calls);
        }
        let shapes = units::shapes(db, root);
        return whole(&cx, &calls, shapes, &expressions::Slots::default(), &found);
    }
    at_once(&cx, &calls)
}

/// The same with the rooms side by side, on all threads of the pool around.
pub(crate) fn check_side_by_side(db: &Database, seen: &seen::Seen) -> Vec<Diagnostic> {
    let cx = StoryCx::new(db, &seen.story).with_sources(&seen.sources);
    let calls = calls::of_story(&cx);
    let shapes = expressions::Shapes::of_story(&cx, &calls);
    let slots = expressions::Slots::of_story(&cx);
    let cleared = effects::Cleared::of(&cx);
    let found = units::look_side_by_side(db, seen, &cleared, &shapes, &slots);
    let found: Vec<&units::Found> = found.iter().collect();
    whole(&cx, &calls, &shapes, &slots, &found)
}

/// All rooms together.
fn at_once<'a>(cx: &'a StoryCx<'a>, calls: &[calls::Call<'a>]) -> Vec<Diagnostic> {
    let shapes = expressions::Shapes::of_story(cx, calls);
    let slots = expressions::Slots::of_story(cx);
    let cleared = effects::Cleared::of(cx);
    let origin = |key: &str| shapes.origins.get(key);
    let around = expressions::Surroundings {
        world: shapes.world.clone(),
        origin: &origin,
        slots: &slots,
    };
    let found = units::look(cx, &cleared, &around);
    whole(cx, calls, &shapes, &slots, &[&found])
}

/// What the rules say about the story as a whole, with what was `found` in its rooms.
fn whole<'a>(
    cx: &'a StoryCx<'a>,
    calls: &[calls::Call<'a>],
    shapes: &'a expressions::Shapes,
    slots: &'a expressions::Slots,
    found: &[&units::Found],
) -> Vec<Diagnostic> {
    let mut findings = cx.story.findings.clone();
    findings.extend(found.iter().flat_map(|f| f.findings.iter().cloned()));
    agent_verbs::check(cx, calls, &mut findings);
    starlark::check(cx, calls, &mut findings);
    let origin = |key: &str| shapes.origins.get(key);
    let around = expressions::Surroundings {
        world: shapes.world.clone(),
        origin: &origin,
        slots,
    };
    let texts: Vec<&expressions::Texts> = found.iter().map(|f| &f.texts).collect();
    expressions::check(cx, calls, &around, &texts, &mut findings);
    manifest::check(cx, calls, &mut findings);
    let mut meant = rooms::check(cx, &mut findings);
    effects::check(cx, &mut meant, &mut findings);
    rooms::unreachable_state::check(cx, &meant, &mut findings);
    routing::check(cx, &mut findings);
    imports::check(cx, &mut findings);
    include::include_no_match::explain(&mut findings);
    phases::phase_reference_unknown::explain(&mut findings);
    blocks::widen(cx, &mut findings);
    findings
}

pub(crate) use advice::complete as complete_advice;

/// A finding with every place in a whole file.
#[must_use]
pub fn in_whole_files(db: &dyn Db, finding: &Diagnostic) -> Diagnostic {
    finding.clone().map_spans(|span| crate::db::whole_span(db, span))
}
