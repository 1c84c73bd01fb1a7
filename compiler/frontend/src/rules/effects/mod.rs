//! Rules about effects: calls, writes, emitted intents, and parts that never run.

mod agent_undeclared;
mod background_in_on_complete;
mod background_without_invoke;
mod dead_effect_part;
mod effect_id_duplicate;
mod effect_plugin_unknown;
mod effect_target_combined;
mod effect_target_outside;
mod effects_never_run;
mod emit_intent_unreachable;
mod emit_intent_with_target;
mod host_not_allowed;
mod host_unregistered;
mod null_effect;
mod on_error_dot;
mod on_error_exit;
mod on_error_unknown;
mod once_bind_prefilled;
mod once_without_bind;
mod once_without_invoke;
mod operation_background;
mod operation_effect_outside;
mod persist_draft_id_missing;
mod provider_undeclared;
mod reserved_key_set;
mod site;
mod undeclared_world_key;
mod with_agent_misplaced;
mod with_provider_misplaced;

use kitsoki_diagnostics::{Diagnostic, Level, Rule};
use kitsoki_syntax::Span;
use rustc_hash::FxHashSet;

use super::StoryCx;
use crate::surface::Optional;
use site::Site;

/// The rules of this group.
pub const RULES: &[&Rule] = &[
    &agent_undeclared::RULE,
    &background_in_on_complete::RULE,
    &background_without_invoke::RULE,
    &dead_effect_part::RULE,
    &effect_id_duplicate::RULE,
    &effect_plugin_unknown::RULE,
    &effect_target_combined::RULE,
    &effect_target_outside::RULE,
    &effects_never_run::RULE,
    &emit_intent_unreachable::RULE,
    &emit_intent_with_target::RULE,
    &host_not_allowed::RULE,
    &host_unregistered::RULE,
    &null_effect::RULE,
    &on_error_dot::RULE,
    &on_error_exit::RULE,
    &on_error_unknown::RULE,
    &once_bind_prefilled::RULE,
    &once_without_bind::RULE,
    &once_without_invoke::RULE,
    &operation_background::RULE,
    &operation_effect_outside::RULE,
    &persist_draft_id_missing::RULE,
    &provider_undeclared::RULE,
    &reserved_key_set::RULE,
    &undeclared_world_key::RULE,
    &with_agent_misplaced::RULE,
    &with_provider_misplaced::RULE,
];

pub(crate) use once_bind_prefilled::Cleared;
pub(crate) use undeclared_world_key::{MissingKeys, RULE as UNDECLARED_WORLD_KEY, fold_prefix, is_engine_key};

/// What this group has to say about a story as a whole.
///
/// `meant` gathers the places of declarations that a lost redirect meant.
pub fn check<'a>(cx: &'a StoryCx<'a>, meant: &mut FxHashSet<Span>, out: &mut Vec<Diagnostic>) {
    let all = site::of_story(cx);
    let sites: Vec<Site<'a>> = all.iter().filter(|s| !s.is_copy()).copied().collect();
    let outside: Vec<Site<'a>> = sites.iter().filter(|s| s.room.is_none()).copied().collect();
    each(&outside, out);
    emit_intent_unreachable::check(cx, &outside, out);
    for proposal in cx
        .story
        .manifest
        .proposals
        .value()
        .into_iter()
        .flat_map(|p| p.entries.iter())
    {
        if let Some(execute) = proposal.value.execute.value() {
            background_without_invoke::check_proposal(execute, out);
        }
    }
    host_not_allowed::check(cx, &sites, out);
    host_unregistered::check(cx, out);
    agent_undeclared::check(cx, &sites, out);
    provider_undeclared::check(cx, &sites, out);
    meant.extend(on_error_unknown::check(cx, &all, out));
}

/// What is said about one room after the other.
pub(crate) fn check_each<'a>(cx: &'a StoryCx<'a>, cleared: &Cleared, out: &mut Vec<Diagnostic>) {
    let all = site::of_rooms(cx);
    // A copied arc says the same in every room, but where the room matters.
    let sites: Vec<Site<'a>> = all.iter().filter(|s| !s.is_copy()).copied().collect();
    for site in all.iter().filter(|s| s.is_copy()) {
        operation_background::check(site, out);
        operation_effect_outside::check(site, out);
    }
    each(&sites, out);
    emit_intent_unreachable::check(cx, &all, out);
    for room in cx.rooms() {
        once_bind_prefilled::check(room, cleared, out);
        effect_id_duplicate::check(room, out);
    }
}

fn each(sites: &[Site<'_>], out: &mut Vec<Diagnostic>) {
    for site in sites {
        null_effect::check(site, out);
        background_without_invoke::check(site, out);
        background_in_on_complete::check(site, out);
        once_without_bind::check(site, out);
        once_without_invoke::check(site, out);
        effect_target_outside::check(site, out);
        effect_target_combined::check(site, out);
        emit_intent_with_target::check(site, out);
        with_agent_misplaced::check(site, out);
        with_provider_misplaced::check(site, out);
        reserved_key_set::check(site, out);
        operation_background::check(site, out);
        operation_effect_outside::check(site, out);
        persist_draft_id_missing::check(site, out);
        dead_effect_part::check(site, out);
        effects_never_run::check(site, out);
        on_error_dot::check(site, out);
        on_error_exit::check(site, out);
        effect_plugin_unknown::check(site, out);
    }
}

/// The level of a fault that the load finds in direct effects and one level of `on_complete` only (`language` 4.5, walkers).
fn walked(site: &Site<'_>) -> Level {
    if site.room.is_some() && site.on_complete <= 1 {
        Level::Error
    } else {
        Level::Warning
    }
}

/// The two places, the later one of the file first.
fn in_order(a: Span, b: Span) -> (Span, Span) {
    if a.range.start() > b.range.start() {
        (a, b)
    } else {
        (b, a)
    }
}

/// The key of the `operation` block of the room or of one around it.
fn operation_around(site: &Site<'_>) -> Option<Span> {
    let mut rooms = site.room.into_iter().flat_map(|r| r.chain());
    rooms.find_map(|r| r.room().operation.as_ref().map(|o| o.key))
}
