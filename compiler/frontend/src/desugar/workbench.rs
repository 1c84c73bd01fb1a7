//! `workbench:` becomes four things that an author could have written: the read-only gate, the off-ramp, one guarded
//! agent task on entry, and a capture intent with its arc (`macros` 3).
//!
//! The macro adds no permission and no control flow of its own. Whatever of the four names an author declared already
//! is kept. The block stays on the room: the engine reads it at the end of a turn, a rule checks its arguments.

use kitsoki_diagnostics::Diagnostic;
use kitsoki_syntax::Span;
use rustc_hash::FxHashMap;
use smol_str::{SmolStr, format_smolstr};

use super::expansion::Expansion;
use super::make::{Make, list_in, map_in};
use super::rooms::{self, RoomAt};
use super::{naming, plan};
use crate::rules::macros as rules;
use crate::surface::{AnyEntry, AnyKind, Effect, Field, List, Made, Room, Text, Workbench};

/// Expands every workbench of the story.
pub(super) fn expand(cx: &mut Expansion<'_>) {
    let benches: Vec<RoomAt> = rooms::walk(&cx.story.manifest)
        .into_iter()
        .filter(|at| rooms::entry(&cx.story.manifest, at).is_some_and(|e| e.value.workbench.is_some()))
        .collect();
    if benches.is_empty() {
        return;
    }
    let agents = agents(cx);
    for at in benches {
        if expand_room(cx, &at, &agents).is_none() {
            // What would have been made is missing: nobody else is to be blamed for using it.
            cx.story.incomplete.world = true;
            cx.story.incomplete.intents = true;
        }
    }
}

/// Index of each declared agent.
fn agents(cx: &Expansion<'_>) -> FxHashMap<SmolStr, usize> {
    let declared = cx.story.manifest.agents.iter().flat_map(|a| a.entries.iter());
    declared.enumerate().map(|(i, e)| (e.name.text.clone(), i)).collect()
}

/// The parts of a complete declaration.
struct Bench {
    key: Span,
    agent: Field<Text>,
    prompt: Field<Text>,
    schema: Field<Text>,
    decl: Workbench,
}

fn expand_room(cx: &mut Expansion<'_>, at: &RoomAt, agents: &FxHashMap<SmolStr, usize>) -> Option<()> {
    let entry = rooms::entry(&cx.story.manifest, at)?;
    let room = std::sync::Arc::clone(&entry.value);
    let bench = complete(cx, &room)?;
    check(cx, &room, &bench, agents)?;

    let make = Make {
        made: Made::Workbench,
        site: bench.key,
    };
    let leaf = leaf_name(&at.path);
    let decl = &bench.decl;
    let slot = match written(&decl.capture_slot) {
        Some(slot) => slot.value.clone(),
        None => make.text(naming::workbench_request(leaf)),
    };
    let note = make.text(naming::workbench_note(&at.prefix, leaf));
    let intent = make.text(naming::workbench_capture(&at.prefix, leaf));
    let slot_make = make.because_of(decl.capture_slot.as_ref().map_or(bench.key, |f| f.key));
    cx.declare_world(made_name(slot_make, &slot), "string", slot_make.any(""), slot_make);
    cx.declare_world(note.clone(), "object", make.empty_map(), make);
    let written_intent = cx.has_intent(intent.as_str());
    cx.declare_intent(intent.clone(), bench.key, || {
        let description = format!("Free-form work for the \"{leaf}\" workbench agent to pick up.");
        make.intent_with(
            "Describe work",
            description,
            ("request", make.slot(true, "What you want the workbench agent to do.")),
        )
    });
    let arc = room.on.as_ref().is_some_and(|on| on.value.has(intent.as_str()));
    warn(cx, at, &bench, &intent, written_intent && !arc);
    let dispatch = dispatch(make, &bench, at, &slot, &note);
    let plan = decl.plan.as_ref().filter(|p| p.value.value).map(|p| p.key);

    let room = rooms::room_mut(&mut cx.story.manifest, at)?;
    room.write_mode = make.text_field("read_only");
    let ramp = written(&decl.off_ramp_agent).unwrap_or(&bench.agent);
    room.agent_off_ramp = make.off_ramp(ramp.value.clone());
    list_in(&mut room.on_enter, bench.key).push(dispatch);
    let on = map_in(&mut room.on, bench.key);
    if !on.has(intent.as_str()) {
        let set = make.set([
            (made_name(make, &slot), make.any("{{ slots.request }}")),
            (note, make.empty_map()),
        ]);
        // The target names the room, because only an explicit target enters it again.
        on.push(
            intent.clone(),
            List::shared(vec![make.arc(make.text(at.path.clone()), vec![set])], bench.key),
        );
    }
    room.default_intent = make.field(intent);
    if let Some(plan_key) = plan {
        let finding = plan::check(cx, &bench.schema, plan_key);
        finding.into_iter().for_each(|f| cx.report(f));
    }
    Some(())
}

/// The author's key of a slot is a world key here: the same text at the place of the key.
fn made_name(make: Make, slot: &Text) -> Text {
    make.text(slot.text.clone())
}

/// A text that is there and not blank.
fn written(field: &Option<Field<Text>>) -> Option<&Field<Text>> {
    field.as_ref().filter(|f| !f.value.is_blank())
}

fn leaf_name(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

/// The required keys; a missing one stops the room (`macros` 3.2, 1-3).
fn complete(cx: &mut Expansion<'_>, room: &Room) -> Option<Bench> {
    let block = room.workbench.as_ref()?;
    let decl = Workbench::clone(&block.value);
    let blank_or_key = |field: &Option<Field<Text>>| field.as_ref().map_or(block.key, |f| f.value.span);
    let required = [
        (&decl.agent, rules::workbench_agent_missing as fn(Span) -> Diagnostic),
        (&decl.prompt, rules::workbench_prompt_missing),
        (&decl.acceptance_schema, rules::workbench_schema_missing),
    ];
    for (field, missing) in required {
        if written(field).is_none() {
            cx.report(missing(blank_or_key(field)));
        }
    }
    Some(Bench {
        key: block.key,
        agent: written(&decl.agent)?.clone(),
        prompt: written(&decl.prompt)?.clone(),
        schema: written(&decl.acceptance_schema)?.clone(),
        decl,
    })
}

/// What else stands in the way (`macros` 3.2, 4-9): all of it is reported.
fn check(cx: &mut Expansion<'_>, room: &Room, bench: &Bench, agents: &FxHashMap<SmolStr, usize>) -> Option<()> {
    let mut findings = Vec::new();
    if let Some(mode) = room.write_mode.as_ref().filter(|m| !m.text.is_empty()) {
        findings.push(rules::workbench_conflict(mode.key, "write_mode", bench.key));
    }
    if let Some(ramp) = &room.agent_off_ramp {
        findings.push(rules::workbench_conflict(ramp.key, "agent_off_ramp", bench.key));
    }
    if let Some(intent) = room.default_intent.as_ref().filter(|i| !i.text.is_empty()) {
        findings.push(rules::workbench_conflict(intent.key, "default_intent", bench.key));
    }
    let declared = cx.story.manifest.agents.as_ref();
    let name = bench.agent.value.as_str();
    match agents
        .get(name)
        .and_then(|i| declared?.entries.get(*i))
        .filter(|e| !e.null)
    {
        Some(agent) => {
            let spelt = cx.spelling(&bench.agent.value);
            let place = cx.inside(&bench.agent.value);
            if agent.value.toolbox.as_ref().is_none_or(|t| t.text.is_empty()) {
                let at = agent.value.tools.as_ref().map_or(agent.name.span, |t| t.key);
                findings.push(rules::workbench_agent_no_toolbox(place, &spelt, at));
            }
            // An agent whose class is unknown has been reported where it is declared.
            let class = agent.value.effect.as_ref().map_or("", |e| e.as_str());
            if matches!(class, "pure" | "read") {
                findings.push(rules::workbench_agent_effect(
                    place,
                    &spelt,
                    class,
                    cx.inside(&agent.name),
                ));
            }
        }
        None if cx.story.incomplete.agents => return None,
        None => {
            let names = declared.into_iter().flat_map(|a| a.entries.iter());
            let near = cx.near(name, names.map(|e| e.name.as_str()));
            let near = near
                .and_then(|n| declared?.entry(n))
                .map(|e| (cx.spelling(&e.name), cx.inside(&e.name)));
            let place = cx.inside(&bench.agent.value);
            findings.push(rules::workbench_agent_undeclared(
                place,
                &cx.spelling(&bench.agent.value),
                near,
            ));
        }
    }
    let fine = findings.is_empty();
    findings.into_iter().for_each(|f| cx.report(f));
    fine.then_some(())
}

/// The agent task that runs when a request is there; appended, so what the author wrote comes first (`macros` 3.7).
fn dispatch(make: Make, bench: &Bench, at: &RoomAt, slot: &Text, note: &Text) -> Effect {
    let decl = &bench.decl;
    let request = make.any(format_smolstr!("{{{{ world.{slot} }}}}", slot = slot.as_str()));
    let mut args = vec![AnyEntry {
        name: make.text("request"),
        value: request,
    }];
    for arg in decl.context_args.iter().flat_map(|a| a.entries.iter()) {
        let value = make.any_of(&arg.value);
        match args.iter_mut().find(|a| a.name.as_str() == arg.name.as_str()) {
            Some(request) => request.value = value,
            None => args.push(AnyEntry {
                name: arg.name.clone(),
                value,
            }),
        }
    }
    let args = crate::surface::Any::made(
        AnyKind::Map(args.into()),
        decl.context_args.as_ref().map_or(bench.key, |a| a.key),
    );
    let workdir = make.any(format_smolstr!("{{{{ world.{} }}}}", naming::workdir(&at.prefix)));
    Effect {
        when: make.text_field(format_smolstr!("world.{} != ''", slot.as_str())),
        invoke: make.text_field(naming::AGENT_TASK),
        once: make.flag(true),
        with: make.map([
            (make.text("agent"), make.any_of(&bench.agent.value)),
            (make.text("working_dir"), workdir),
            (
                make.text("acceptance"),
                make.any_map([("schema", make.any_of(&bench.schema.value))]),
            ),
            (
                make.text("context"),
                make.any_map([("prompt", make.any_of(&bench.prompt.value)), ("args", args)]),
            ),
        ]),
        bind: make.map([(note.clone(), make.text("submitted"))]),
        on_error: make.text_field(at.path.clone()),
        ..make.effect()
    }
}

/// What loads and surprises: a working directory that is nowhere, a slot that nobody reads.
fn warn(cx: &mut Expansion<'_>, at: &RoomAt, bench: &Bench, intent: &Text, half_written: bool) {
    if !cx.has_world(&naming::workdir(&at.prefix)) && !cx.story.incomplete.world {
        cx.report(rules::workbench_workdir_undeclared(bench.key, "workdir"));
    }
    let declared = cx
        .story
        .manifest
        .intents
        .as_ref()
        .and_then(|i| i.value.get(intent.as_str()));
    let slots = declared.filter(|_| half_written).and_then(|d| d.slots.as_ref());
    if let Some(slots) = slots.filter(|s| !s.value.has("request"))
        && let Some(slot) = slots.value.entries.first()
    {
        let finding = rules::workbench_capture_slot_name(cx.inside(&slot.name), slot.name.as_str(), bench.key);
        cx.report(finding);
    }
}
