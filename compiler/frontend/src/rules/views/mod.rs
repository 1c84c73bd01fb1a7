//! Rules about views and choices.

pub(crate) mod choice_intent_undeclared;
mod choice_schema;
mod choice_slots;
pub(crate) mod choices;
mod elements;
mod view_choice_in_block;
mod view_choice_many;

use kitsoki_diagnostics::{Diagnostic, Rule};

use super::StoryCx;
use crate::surface::{ElementKind, Optional};

/// The rules of this group.
pub const RULES: &[&Rule] = &[
    &choice_intent_undeclared::RULE,
    &choice_slots::ENUM_VALUE,
    &choice_slots::FIELD_UNDECLARED,
    &choice_slots::PARAM_BOUND_TWICE,
    &choice_slots::PLACEHOLDER_UNDECLARED,
    &choice_slots::SLOT_UNDECLARED,
    &choice_slots::VALUE_TEMPLATED,
    &elements::BANNER_TEXT,
    &elements::KV_EMPTY,
    &elements::KV_VALUE,
    &elements::LIST_EMPTY,
    &elements::MEDIA_HANDLE,
    &view_choice_in_block::RULE,
    &view_choice_many::RULE,
];

/// Everything that this group has to say about a story.
pub fn check<'a>(cx: &'a StoryCx<'a>, out: &mut Vec<Diagnostic>) {
    for room in cx.rooms() {
        let arcs = room
            .room()
            .on
            .iter()
            .flat_map(|on| on.entries.iter())
            .flat_map(|e| e.value.iter());
        let views = room
            .room()
            .view
            .value()
            .into_iter()
            .chain(arcs.filter_map(|arc| arc.view.value()));
        for view in views {
            view_choice_many::check(view, out);
            view_choice_in_block::check(view, out);
            for (element, in_block) in view.elements() {
                elements::check(cx, element, out);
                if let ElementKind::Choice(choice) = &element.kind
                    && !in_block
                    && choice_schema::check(cx, choice, out)
                {
                    choice_slots::check(room, choice, out);
                }
            }
        }
    }
}
