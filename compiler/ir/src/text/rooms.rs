//! Rooms as lines.

use std::collections::HashMap;

use super::effects::{effects, redirect};
use super::views::view;
use super::{Printer, quoted, tables, word};
use crate::arc::{Guard, Handler, Target};
use crate::arena::StateId;
use crate::state::{GateDecider, State, StateKind, Transcript, WriteMode};

/// One room, without its children.
pub(super) fn room(p: &mut Printer<'_>, id: StateId) {
    let Some(state) = p.story.states.get(id) else { return };
    p.from(state.at, |p| {
        let kind = match state.kind {
            StateKind::Atomic => "",
            StateKind::Compound => " compound",
            StateKind::Parallel => " parallel",
        };
        let import = state
            .import_alias
            .as_ref()
            .map(|a| format!(" import {}", word(a)))
            .unwrap_or_default();
        let terminal = if state.terminal { " terminal" } else { "" };
        let bodiless = if state.bodiless { " without a body" } else { "" };
        p.line(format!("room {}{kind}{import}{terminal}{bodiless}", word(&state.path)));
        p.inner(|p| body(p, state));
    });
}

fn body(p: &mut Printer<'_>, state: &State) {
    let field = |p: &mut Printer<'_>, name: &str, text: String| {
        let at = state.made_at(name);
        p.maybe_from(at, |p| p.line(text));
    };
    if !state.initial.is_empty() {
        field(p, "initial", format!("initial {}", p.text(&state.initial)));
    }
    if !state.description.is_empty() {
        field(p, "description", format!("description {}", quoted(&state.description)));
    }
    match state.write_mode {
        WriteMode::Unset => {}
        WriteMode::Open => field(p, "write_mode", "write_mode open".to_owned()),
        WriteMode::ReadOnly => field(p, "write_mode", "write_mode read_only".to_owned()),
    }
    match state.decider {
        GateDecider::Unset => {}
        GateDecider::Human => field(p, "decider", "decider human".to_owned()),
        GateDecider::Llm => field(p, "decider", "decider llm".to_owned()),
    }
    if state.conversational {
        field(p, "mode", "mode conversational".to_owned());
    }
    if let Some(ramp) = &state.off_ramp {
        let agent = ramp
            .agent
            .as_ref()
            .map(|a| format!(" to {}", word(&a.name)))
            .unwrap_or_default();
        let captures = if ramp.capture_free_text {
            " captures free text"
        } else {
            ""
        };
        field(p, "agent_off_ramp", format!("off_ramp{agent}{captures}"));
    }
    if let Some(intent) = &state.default_intent {
        field(p, "default_intent", format!("default_intent {}", word(intent)));
    }
    if let Some(routing) = &state.contextual_routing {
        field(
            p,
            "contextual_routing",
            format!("contextual_routing {}", word(&routing.room_chat)),
        );
    }
    if let Some(scope) = &state.operation {
        field(p, "operation", format!("operation {}", word(scope)));
    }
    if let Some(transcript) = state.transcript {
        let word = if transcript == Transcript::Persistent {
            "persistent"
        } else {
            "transient"
        };
        field(p, "transcript", format!("transcript {word}"));
    }
    if state.drive_to_rest {
        field(p, "intercept_drive", "intercept_drive rest".to_owned());
    }
    if !state.relevant_world.is_empty() {
        let keys: Vec<_> = state.relevant_world.iter().map(|k| p.key(*k)).collect();
        field(p, "relevant_world", format!("relevant_world {}", keys.join(", ")));
    }
    if let Some(timeout) = &state.timeout {
        let cancels = if timeout.cancel_job { " and cancel the job" } else { "" };
        let target = redirect(p, &timeout.target);
        p.from(timeout.at, |p| {
            p.line(format!("after {} -> {target}{cancels}", word(&timeout.after)))
        });
    }
    for prerequisite in &state.prerequisites {
        let met = prerequisite.satisfied_when.map(|e| p.expr(e)).unwrap_or_default();
        p.from(prerequisite.at, |p| {
            p.line(format!("needs {} {met}", word(&prerequisite.id)))
        });
    }
    for id in &state.intents {
        tables::intent(p, *id);
    }
    if let Some(shown) = &state.view {
        view(p, "view", shown);
    }
    if !state.footer.is_empty() {
        field(p, "footer", format!("footer {}", p.text(&state.footer)));
    }
    if !state.on_enter.is_empty() {
        // The line above a list is written when anything in it is.
        let written = state.on_enter.iter().find(|e| p.story.provenance.made(e.at).is_none());
        let at = if written.is_some() {
            None
        } else {
            state.on_enter.first().map(|e| e.at)
        };
        p.maybe_from(at, |p| p.line("enter"));
        p.inner(|p| effects(p, &state.on_enter));
    }
    let mut spelt: HashMap<&str, Vec<String>> = HashMap::new();
    for (written, last) in &state.intent_aliases {
        spelt.entry(last).or_default().push(word(written));
    }
    for handler in &state.on {
        on(p, handler, spelt.get(handler.intent.as_str()));
    }
}

fn on(p: &mut Printer<'_>, handler: &Handler, spelt: Option<&Vec<String>>) {
    p.from(handler.at, |p| {
        let alias = spelt.map(|s| format!(" also {}", s.join(", "))).unwrap_or_default();
        p.line(format!("on {}{alias}", word(&handler.intent)));
        p.inner(|p| {
            for id in &handler.arcs {
                arm(p, *id);
            }
        });
    });
}

fn arm(p: &mut Printer<'_>, id: crate::arena::ArcId) {
    let Some(arc) = p.story.arcs.get(id) else { return };
    p.from(arc.at, |p| {
        let target = match &arc.target {
            Target::Stay => "stay".to_owned(),
            Target::State(id) => format!("-> {}", p.state(*id)),
            Target::Template(id) => format!("-> {}", p.template(*id)),
            Target::Unknown(name) => format!("-> {} (no such room)", word(name)),
        };
        let guard = match arc.guard {
            Guard::Always => String::new(),
            Guard::Default => " otherwise".to_owned(),
            Guard::When(e) => format!(" when {}", p.expr(e)),
        };
        let operation = arc.operation.and_then(|o| p.story.operations.get(o));
        let operation = operation
            .map(|o| format!(" starts {}", word(&o.id)))
            .unwrap_or_default();
        let exit = arc
            .exit
            .as_ref()
            .map(|e| format!(" exit {}", word(&e.name)))
            .unwrap_or_default();
        p.line(format!("{target}{guard}{operation}{exit}"));
        p.inner(|p| {
            if !arc.guard_hint.is_empty() {
                p.line(format!("hint {}", quoted(&arc.guard_hint)));
            }
            effects(p, &arc.effects);
            for event in &arc.emit {
                p.line(format!("emit event {}", word(event)));
            }
            if let Some(shown) = &arc.view {
                view(p, "view", shown);
            }
        });
    });
}
