//! Rooms with their arcs.

use kitsoki_ir::state::{
    Assignment, ContextualRouting, GateDecider, OffRamp, Prerequisite, PrerequisiteAction, Timeout, Transcript,
    Workbench,
};
use kitsoki_ir::{
    Arc, Dialect, Guard, Handler, Id, ImportExit, IntentId, OriginId, State, StateId, StateKind, Target, WriteMode,
};
use smol_str::SmolStr;

use super::effects::{self, Owner};
use super::names::{RoomAt, rooms as all_rooms};
use super::views::view;
use super::{Lowering, flag, off, some_text, tables, text, texts};
use crate::desugar;
use crate::surface::{self, Field, Room, Text};

/// Every room. Local intents come first, so that arcs can name them.
pub(super) fn rooms(cx: &mut Lowering<'_>) {
    let all = all_rooms(cx.story);
    let locals: Vec<Vec<IntentId>> = all
        .iter()
        .enumerate()
        .map(|(index, at)| tables::local_intents(cx, StateId::at(index), &at.entry.value, &at.imports))
        .collect();
    let mut states: Vec<State> = Vec::with_capacity(all.len());
    for (index, (at, local)) in all.iter().zip(locals).enumerate() {
        let id = StateId::at(index);
        if let Some(parent) = at.parent.and_then(|p| states.get_mut(p.index())) {
            parent.children.push(id);
        }
        let state = state(cx, id, at, local);
        states.push(state);
    }
    for state in states {
        cx.out.states.push(state);
    }
}

fn state(cx: &mut Lowering<'_>, id: StateId, at: &RoomAt<'_>, intents: Vec<IntentId>) -> State {
    let room: &Room = &at.entry.value;
    let owner = Owner {
        path: &at.path,
        imports: &at.imports,
    };
    let ty = text(&room.ty);
    let mut state = State {
        at: origin(cx, at),
        made: made_fields(cx, room, &at.imports),
        path: at.path.clone(),
        parent: at.parent,
        children: Vec::new(),
        bodiless: at.entry.null,
        kind: match ty.as_str() {
            "compound" => StateKind::Compound,
            "parallel" => StateKind::Parallel,
            _ => StateKind::Atomic,
        },
        initial: cx.code.view_field(&room.initial),
        terminal: flag(&room.terminal),
        description: text(&room.description),
        view: room.view.as_ref().and_then(|v| view(cx, &at.imports, &v.value)),
        footer: cx.code.view_field(&room.footer),
        intents,
        on: Vec::new(),
        on_enter: effects::effects(cx, owner, &room.on_enter),
        relevant_world: room
            .relevant_world
            .iter()
            .flat_map(|w| w.value.items.iter())
            .map(|k| tables::written_key(cx, k))
            .collect(),
        relevant_slots: texts(&room.relevant_slots),
        menu: texts(&room.menu),
        conversational: text(&room.mode) == "conversational",
        default_intent: some_text(&room.default_intent),
        off_ramp: room
            .agent_off_ramp
            .as_ref()
            .filter(|r| r.value.enabled)
            .map(|r| off_ramp(cx, &r.value)),
        contextual_routing: room.contextual_routing.as_ref().and_then(|r| contextual(&r.value)),
        workbench: None,
        write_mode: match text(&room.write_mode).as_str() {
            "open" => WriteMode::Open,
            "read_only" => WriteMode::ReadOnly,
            _ => WriteMode::Unset,
        },
        decider: match text(&room.decider).as_str() {
            "human" => GateDecider::Human,
            "llm" => GateDecider::Llm,
            _ => GateDecider::Unset,
        },
        operation: room.operation.as_ref().map(|o| {
            let scope = text(&o.value.scope);
            if scope.trim().is_empty() {
                at.path.clone()
            } else {
                scope.trim().into()
            }
        }),
        timeout: room.timeout.as_ref().map(|t| timeout(cx, t, &at.imports)),
        prerequisites: prerequisites(cx, room, &at.imports),
        assignment: room.assignment.as_ref().map(|a| Assignment {
            role: text(&a.value.role),
            required: flag(&a.value.required),
            allow_reassign: flag(&a.value.allow_reassign),
            sync: text(&a.value.sync),
        }),
        drive_to_rest: text(&room.intercept_drive) == "rest",
        transcript: match text(&room.transcript).as_str() {
            "persistent" => Some(Transcript::Persistent),
            "transient" => Some(Transcript::Transient),
            _ => None,
        },
        theme: text(&room.theme),
        import_alias: room.import_alias.clone(),
        intent_aliases: room.intent_aliases.clone(),
    };
    state.workbench = workbench(cx, room, &state);
    state.on = handlers(cx, id, owner, room);
    state
}

/// Where the room came from: its name, or what made it.
fn origin(cx: &mut Lowering<'_>, at: &RoomAt<'_>) -> OriginId {
    let name = &at.entry.name;
    // A wrapper belongs to the importer: its own alias is not on the way to it.
    let around = match &at.entry.value.import_alias {
        Some(_) => at.imports.split_last().map_or(&[][..], |(_, around)| around),
        None => &at.imports,
    };
    match (at.entry.value.origin, name.made) {
        (surface::Origin::Written, None) => cx.places.node(surface::Origin::Written, name.span, around),
        (surface::Origin::Written, Some(_)) => cx.places.text(name, around),
        (origin, _) => cx.places.node(origin, name.span, around),
    }
}

/// Fields of a written room that a macro filled in.
fn made_fields(cx: &mut Lowering<'_>, room: &Room, imports: &[SmolStr]) -> Vec<(SmolStr, OriginId)> {
    if !room.origin.is_written() {
        return Vec::new();
    }
    let texts: [(&str, &Option<Field<Text>>); 6] = [
        ("initial", &room.initial),
        ("description", &room.description),
        ("write_mode", &room.write_mode),
        ("default_intent", &room.default_intent),
        ("transcript", &room.transcript),
        ("decider", &room.decider),
    ];
    let mut made = Vec::new();
    for (name, field) in texts {
        if let Some(field) = field.as_ref().filter(|f| f.value.made.is_some()) {
            made.push((SmolStr::new_static(name), cx.places.text(&field.value, imports)));
        }
    }
    if let Some(ramp) = room.agent_off_ramp.as_ref().filter(|r| !r.value.origin.is_written()) {
        made.push((
            "agent_off_ramp".into(),
            cx.places.node(ramp.value.origin, ramp.key, imports),
        ));
    }
    made
}

fn off_ramp(cx: &mut Lowering<'_>, ramp: &surface::OffRamp) -> OffRamp {
    OffRamp {
        agent: some_text(&ramp.agent).map(|name| tables::agent_ref(cx, name)),
        persona: text(&ramp.persona),
        banner: text(&ramp.banner),
        capture_free_text: flag(&ramp.capture_free_text),
    }
}

fn contextual(routing: &surface::ContextualRouting) -> Option<ContextualRouting> {
    flag(&routing.enabled).then(|| ContextualRouting {
        room_chat: text(&routing.room_chat),
        help_chat: text(&routing.help_chat),
        meta_chat: text(&routing.meta_chat),
        pending_plan_path: routing.pending_plan_path.as_ref().map(|p| p.value.text.clone()),
        plan_accept_intent: text(&routing.plan_accept_intent),
        plan_refine_intent: text(&routing.plan_refine_intent),
    })
}

/// What an engine still reads of a workbench. `None` when the macro refused the block.
fn workbench(cx: &Lowering<'_>, room: &Room, state: &State) -> Option<Workbench> {
    let bench = &room.workbench.as_ref()?.value;
    let written = |field: &Option<Field<Text>>| some_text(field).filter(|t| !t.trim().is_empty());
    let agent = written(&bench.agent)?;
    let ramp = written(&bench.off_ramp_agent).unwrap_or_else(|| agent.clone());
    let request = written(&bench.capture_slot).unwrap_or_else(|| desugar::workbench_request(state.name()));
    Some(Workbench {
        request: *cx.names.world.get(&request)?,
        note: first_note(cx, state),
        agent: tables::agent_ref(cx, agent),
        off_ramp_agent: tables::agent_ref(cx, ramp),
        acceptance_schema: text(&bench.acceptance_schema),
        plan: flag(&bench.plan),
    })
}

/// The first bind of the first agent task of the room that binds something.
fn first_note(cx: &Lowering<'_>, state: &State) -> Option<kitsoki_ir::WorldKeyId> {
    state.on_enter.iter().find_map(|e| match &e.action {
        kitsoki_ir::Action::Invoke(call) => {
            let task = cx.out.hosts.get(call.host).is_some_and(|h| h.name == "host.agent.task");
            call.bind.first().filter(|_| task).map(|b| b.key)
        }
        _ => None,
    })
}

fn timeout(cx: &mut Lowering<'_>, timeout: &Field<Box<surface::Timeout>>, imports: &[SmolStr]) -> Timeout {
    let t = &timeout.value;
    let after = text(&t.after);
    Timeout {
        at: cx.places.node(t.origin, timeout.key, imports),
        after_ms: super::policies::duration_ms(&after).filter(|ms| *ms > 0),
        after,
        target: match &t.target {
            Some(target) => effects::redirect(cx, &target.value, false),
            None => kitsoki_ir::Redirect::Nowhere(SmolStr::default()),
        },
        cancel_job: flag(&t.cancel_job),
    }
}

fn prerequisites(cx: &mut Lowering<'_>, room: &Room, imports: &[SmolStr]) -> Vec<Prerequisite> {
    let list = room.prerequisites.iter().flat_map(|p| p.value.items.iter());
    list.map(|p| Prerequisite {
        at: cx.places.node(p.origin, p.head, imports),
        id: text(&p.id),
        title: cx.code.view_field(&p.title),
        satisfied_when: cx.code.guard(&p.satisfied_when),
        when: cx.code.guard(&p.when),
        severity: match text(&p.severity).as_str() {
            "info" => "info".into(),
            "error" => "error".into(),
            _ => "warning".into(),
        },
        summary: cx.code.view_field(&p.summary),
        help: cx.code.view_field(&p.help),
        action: p.action.as_ref().and_then(|a| {
            let intent = some_text(&a.value.intent).filter(|i| !i.trim().is_empty())?;
            Some(PrerequisiteAction {
                label: cx.code.view_field(&a.value.label),
                hint: cx.code.view_field(&a.value.hint),
                intent,
                slots: cx.code.values(&a.value.slots),
            })
        }),
    })
    .collect()
}

fn handlers(cx: &mut Lowering<'_>, id: StateId, owner: Owner<'_>, room: &Room) -> Vec<Handler> {
    let mut handlers = Vec::new();
    for entry in room.on.iter().flat_map(|on| on.value.entries.iter()) {
        let name = &entry.name.text;
        // A made room's arcs are made with it.
        let at = match (room.origin, entry.name.made) {
            (surface::Origin::Macro { .. }, None) => cx.places.node(room.origin, entry.name.span, owner.imports),
            _ => cx.places.text(&entry.name, owner.imports),
        };
        let arcs = entry
            .value
            .items
            .iter()
            .map(|a| arc(cx, id, owner, a))
            .collect::<Vec<_>>();
        let arcs = arcs.into_iter().map(|a| cx.out.arcs.push(a)).collect();
        let definition = definition(cx, name, id);
        handlers.push(Handler {
            at,
            intent: name.clone(),
            definition,
            arcs,
        });
    }
    handlers
}

/// The definition that a room sees under a name: own, ancestors', global.
fn definition(cx: &Lowering<'_>, name: &SmolStr, id: StateId) -> Option<IntentId> {
    let mut next = Some(id);
    while let Some(state) = next {
        if let Some(local) = cx.names.local_intents.get(&(state, name.clone())) {
            return Some(*local);
        }
        next = cx.names.parents.get(state.index()).copied().flatten();
    }
    cx.names.intents.get(name).copied()
}

fn arc(cx: &mut Lowering<'_>, id: StateId, owner: Owner<'_>, a: &surface::Arc) -> Arc {
    Arc {
        at: cx.places.node(a.origin, a.head, owner.imports),
        owner: id,
        guard: if flag(&a.default) {
            Guard::Default
        } else {
            cx.code.guard(&a.when).map_or(Guard::Always, Guard::When)
        },
        target: a.target.as_ref().map_or(Target::Stay, |t| target(cx, owner, &t.value)),
        effects: effects::effects(cx, owner, &a.effects),
        view: a.view.as_ref().and_then(|v| view(cx, owner.imports, &v.value)),
        guard_hint: text(&a.guard_hint),
        operation: some_text(&a.operation).and_then(|o| cx.names.operations.get(o.trim()).copied()),
        emit: texts(&a.emit),
        stackless: off(&a.push_history),
        exit: a.exit.as_ref().map(|e| ImportExit {
            name: e.name.clone(),
            prefix: e.prefix.clone(),
        }),
    }
}

fn target(cx: &mut Lowering<'_>, owner: Owner<'_>, target: &Text) -> Target {
    let text = &target.text;
    if text.contains("{{") {
        return Target::Template(cx.code.template(Dialect::Target, text));
    }
    if text.is_empty() || text == "." {
        return Target::Stay;
    }
    match cx.names.target(owner.path, text) {
        Ok(id) => Target::State(id),
        Err(name) => Target::Unknown(name),
    }
}
