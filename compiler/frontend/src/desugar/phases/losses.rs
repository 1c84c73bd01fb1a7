//! What a template's room does not keep when it is copied (`macros` 2.5, 2.6).

use kitsoki_diagnostics::Diagnostic;
use kitsoki_syntax::Span;

use crate::rules::phases as rules;
use crate::surface::{Arc, Effect, ElementKind, List, Room, View, ViewForm};

const ROOM: [&str; 13] = [
    "assignment",
    "decider",
    "write_mode",
    "operation",
    "prerequisites",
    "default_intent",
    "footer",
    "agent_off_ramp",
    "workbench",
    "contextual_routing",
    "transcript",
    "theme",
    "intercept_drive",
];
const EFFECT: [&str; 10] = [
    "id",
    "once",
    "emit_intent",
    "slots",
    "effects",
    "commit_operation",
    "persist_draft",
    "discard_operation",
    "agent",
    "selection",
];

/// The losses of a room and of those inside of it.
pub(super) fn of_room(room: &Room, out: &mut Vec<Diagnostic>) {
    let mut stack = vec![room];
    while let Some(room) = stack.pop() {
        keys(&ROOM, |key| room.key_span(key), out);
        of_view(room.view.as_ref().map(|v| &*v.value), out);
        if let Some(effects) = &room.on_enter {
            of_effects(effects, out);
        }
        for arc in room
            .on
            .iter()
            .flat_map(|on| on.entries.iter())
            .flat_map(|e| e.value.items.iter())
        {
            of_arc(arc, out);
        }
        stack.extend(
            room.states
                .iter()
                .flat_map(|s| s.entries.iter())
                .filter(|e| !e.null)
                .map(|e| &*e.value),
        );
    }
}

/// The losses of effects, those of `on_complete` included.
pub(super) fn of_effects(effects: &List<Effect>, out: &mut Vec<Diagnostic>) {
    let mut stack: Vec<&Effect> = effects.items.iter().collect();
    while let Some(effect) = stack.pop() {
        keys(&EFFECT, |key| effect.key_span(key), out);
        stack.extend(effect.on_complete.iter().flat_map(|l| l.items.iter()));
    }
}

fn of_arc(arc: &Arc, out: &mut Vec<Diagnostic>) {
    keys(&["operation"], |key| arc.key_span(key), out);
    of_view(arc.view.as_ref().map(|v| &*v.value), out);
    if let Some(effects) = &arc.effects {
        of_effects(effects, out);
    }
}

fn of_view(view: Option<&View>, out: &mut Vec<Diagnostic>) {
    let Some(view) = view else { return };
    if let ViewForm::File(file) = &view.form {
        out.push(rules::phase_dropped_key(file.key, "template_file"));
    }
    for (element, _) in view.elements() {
        if let ElementKind::Choice(_) = element.kind {
            out.push(rules::phase_dropped_key::choice(element.head));
        }
    }
}

fn keys(names: &[&str], place: impl Fn(&str) -> Option<Span>, out: &mut Vec<Diagnostic>) {
    for name in names {
        if let Some(at) = place(name) {
            out.push(rules::phase_dropped_key(at, name));
        }
    }
}
