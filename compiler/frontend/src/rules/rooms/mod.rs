//! Rules about rooms and their arcs: names, targets, modes, reachability.

mod arms;
mod assignment_role_missing;
mod assignment_sync_unknown;
mod compound;
mod contextual_routing_intent_undeclared;
mod contextual_routing_no_arc;
mod contextual_routing_no_lane;
mod dead_end;
mod decider_word_unknown;
mod default_intent_no_arc;
pub(crate) mod default_intent_slot_shape;
mod default_intent_undeclared;
mod empty_arc;
mod initial_unknown;
mod intent_undeclared;
pub(crate) mod intents;
mod intercept_drive_unknown;
mod media_intent_unknown;
mod menu_unknown_intent;
mod null_state;
mod off_ramp;
mod operation_scope_templated;
mod operation_undeclared;
mod parallel;
mod prerequisite_action_intent_undeclared;
mod prerequisites;
pub(crate) mod relevant_world_undeclared;
mod room_only_field;
mod state_name_dot;
mod target_unknown;
pub(crate) mod targets;
mod timeout;
mod transcript_unknown;
mod type_words;
pub(crate) mod unreachable_state;
mod ways;
mod write_mode_external_agent;
mod write_mode_no_agent;
mod write_mode_unknown;

use kitsoki_diagnostics::{Diagnostic, Rule};
use kitsoki_expr::types::Type;
use kitsoki_syntax::Span;
use rustc_hash::FxHashSet;

use super::StoryCx;

/// The rules of this group.
pub const RULES: &[&Rule] = &[
    &arms::DEFAULT_WITH_WHEN,
    &arms::UNREACHABLE,
    &assignment_role_missing::RULE,
    &assignment_sync_unknown::RULE,
    &compound::INITIAL_WITHOUT,
    &compound::NO_INITIAL,
    &contextual_routing_intent_undeclared::RULE,
    &contextual_routing_no_arc::RULE,
    &contextual_routing_no_lane::RULE,
    &dead_end::RULE,
    &decider_word_unknown::RULE,
    &default_intent_no_arc::RULE,
    &default_intent_slot_shape::RULE,
    &default_intent_undeclared::RULE,
    &empty_arc::RULE,
    &initial_unknown::RULE,
    &intent_undeclared::RULE,
    &intercept_drive_unknown::RULE,
    &media_intent_unknown::RULE,
    &menu_unknown_intent::RULE,
    &null_state::RULE,
    &off_ramp::CONVERSATIONAL,
    &off_ramp::TERMINAL,
    &operation_scope_templated::RULE,
    &operation_undeclared::RULE,
    &parallel::INITIAL,
    &parallel::NESTED,
    &parallel::REGIONS,
    &prerequisite_action_intent_undeclared::RULE,
    &prerequisites::ID_DUPLICATE,
    &prerequisites::ID_MISSING,
    &prerequisites::SATISFIED_WHEN_MISSING,
    &prerequisites::SEVERITY_UNKNOWN,
    &prerequisites::TITLE_MISSING,
    &relevant_world_undeclared::RULE,
    &room_only_field::RULE,
    &state_name_dot::RULE,
    &target_unknown::RULE,
    &timeout::AFTER_INVALID,
    &timeout::AFTER_MISSING,
    &timeout::TARGET_MISSING,
    &transcript_unknown::RULE,
    &type_words::MODE,
    &type_words::THEME,
    &type_words::TYPE,
    &unreachable_state::RULE,
    &write_mode_external_agent::RULE,
    &write_mode_no_agent::RULE,
    &write_mode_unknown::RULE,
];

/// Everything that this group has to say about a story.
///
/// Returns the places of declarations that a lost target meant.
pub fn check<'a>(cx: &'a StoryCx<'a>, out: &mut Vec<Diagnostic>) -> FxHashSet<Span> {
    null_state::check(cx, out);
    operation_undeclared::check(cx, out);
    menu_unknown_intent::check(cx, out);
    intents::check(cx, out);
    target_unknown::check(cx, out)
}

/// What is said about one room after the other; `world` is what is known of the values of world keys.
pub(crate) fn check_each<'a>(cx: &'a StoryCx<'a>, world: &Type, out: &mut Vec<Diagnostic>) {
    for room in cx.rooms() {
        assignment_role_missing::check(room, out);
        assignment_sync_unknown::check(room, out);
        prerequisites::check(room, out);
        default_intent_no_arc::check(room, out);
        default_intent_slot_shape::check(room, out);
        contextual_routing_no_lane::check(room, out);
        contextual_routing_no_arc::check(room, out);
        room_only_field::check(room, out);
        transcript_unknown::check(room, out);
        decider_word_unknown::check(room, out);
        timeout::check(room, out);
        initial_unknown::check(room, out);
        parallel::check(room, out);
        off_ramp::check(room, out);
        write_mode_unknown::check(room, out);
        write_mode_no_agent::check(room, out);
        write_mode_external_agent::check(room, out);
        operation_scope_templated::check(room, out);
        intercept_drive_unknown::check(room, out);
        type_words::check(room, out);
        state_name_dot::check(room, out);
        compound::check(room, out);
        empty_arc::check(room, out);
        arms::check(room, world, out);
        dead_end::check(room, out);
    }
}
