//! Operations of a session: a handle in the world that says which policy runs, how far it is and how it ended
//! (`machine` 15.2).

use kitsoki_expr::{Map, Value};
use kitsoki_ir::policy::Operation;
use kitsoki_ir::{ImportExit, OperationId};

use super::Machine;
use crate::event::{Event, event, kind};
use crate::value;
use crate::world::World;

/// The world key of the handle.
pub const OPERATION_RUN: &str = "operation_run";

/// What a turn did that may move an operation.
pub(crate) struct Progress<'a> {
    /// Where the session is.
    pub state: &'a str,
    /// The arm was an exit of an imported story.
    pub exit: Option<&'a ImportExit>,
    /// The events of the turn's own effects.
    pub effects: &'a [Event],
}

impl<'p> Machine<'p> {
    /// Starts the operation that an arm names.
    pub(crate) fn start_run(
        self,
        operation: Option<OperationId>,
        (from, to): (&str, &str),
        intent: &str,
        synthetic: bool,
        world: &mut World,
        events: &mut Vec<Event>,
    ) {
        let Some(policy) = operation.and_then(|id| self.program.story.operations.get(id)) else {
            return;
        };
        let mut handle = described(policy, true);
        for (key, text) in [("from", from), ("to", to), ("entry_intent", intent)] {
            handle.insert(key, Value::text(text));
        }
        handle.insert("status", Value::text("running"));
        if synthetic {
            handle.insert("synthetic", Value::Bool(true));
        }
        events.push(Event::new(kind::RUN_STARTED, handle.clone()));
        if let Some(phase) = phase(policy, 0, "running") {
            merge(&mut handle, &phase);
            events.push(Event::new(kind::PHASE_STARTED, phase));
        }
        keep(handle, world, events);
    }

    /// Looks at what a turn did: phases that are done, exits, overlays that were closed or dropped, the end of the story.
    pub(crate) fn advance_run(self, progress: &Progress<'_>, world: &mut World, events: &mut Vec<Event>) {
        self.advance_phases(progress.state, world, events);
        if let Some(exit) = progress.exit {
            self.finish_run(&format!("__exit__{}", exit.name), &exit.prefix, world, events);
        }
        let closing = |e: &&Event| e.kind == kind::OP_COMMITTED || e.kind == kind::OP_DRAFT;
        if let Some(closed) = progress.effects.iter().rev().find(closing)
            && self
                .running(world)
                .is_some_and(|(_, policy)| policy.id == closed.text("operation_id"))
        {
            self.finish_run(progress.state, "", world, events);
        }
        self.fail_run(progress.state, progress.effects, world, events);
        if self.is_terminal(progress.state) {
            self.finish_run(progress.state, "", world, events);
        }
    }

    /// The same for a synthetic turn of a job: phases, then the end of the story.
    pub(crate) fn settle_run(self, state: &str, world: &mut World, events: &mut Vec<Event>) {
        self.advance_phases(state, world, events);
        if self.is_terminal(state) {
            self.finish_run(state, "", world, events);
        }
    }

    /// Fails the operation whose overlay was dropped last.
    pub(crate) fn fail_run(self, state: &str, effects: &[Event], world: &mut World, events: &mut Vec<Event>) {
        let Some(dropped) = effects.iter().rev().find(|e| e.kind == kind::OP_ABANDONED) else {
            return;
        };
        let Some((mut handle, policy)) = self.running(world) else {
            return;
        };
        if policy.id != dropped.text("operation_id") {
            return;
        }
        let mut failed = described(policy, false);
        failed.insert("status", Value::text("failed"));
        failed.insert("terminal_state", Value::text(state));
        let reason = dropped.text("reason").trim();
        failed.insert(
            "reason",
            Value::text(if reason.is_empty() { "abandoned" } else { reason }),
        );
        merge(&mut handle, &failed);
        events.push(Event::new(kind::RUN_FAILED, failed));
        keep(handle, world, events);
    }

    /// The handle of the operation that is under way, with its policy.
    fn running(self, world: &World) -> Option<(Map, &'p Operation)> {
        let handle = world.get(OPERATION_RUN)?.as_map()?.clone();
        if text(&handle, "status").trim() != "running" {
            return None;
        }
        let mut id = text(&handle, "policy_id");
        if id.trim().is_empty() {
            id = text(&handle, "operation_id");
        }
        let id = self.program.names.operation(id.trim())?;
        Some((handle, self.program.story.operations.get(id)?))
    }

    fn advance_phases(self, state: &str, world: &mut World, events: &mut Vec<Event>) {
        let Some((mut handle, policy)) = self.running(world) else {
            return;
        };
        let mut done: Vec<String> = match handle.get("completed_phases") {
            Some(Value::List(list)) => list.iter().map(value::text).collect(),
            _ => Vec::new(),
        };
        let mut current = text(&handle, "phase");
        let mut last_done = None;
        let phases = policy.phase_keys();
        for (index, name) in phases.iter().copied().enumerate() {
            if done.iter().any(|d| d == name) || !is_present(world.get(name)) {
                continue;
            }
            if current != name
                && let Some(started) = phase(policy, index, "running")
            {
                merge(&mut handle, &progress_only(&started));
                events.push(Event::new(kind::PHASE_STARTED, started));
                current = name.to_string();
            }
            if let Some(completed) = phase(policy, index, "completed") {
                merge(&mut handle, &progress_only(&completed));
                events.push(Event::new(kind::PHASE_COMPLETED, completed));
                done.push(name.to_string());
                last_done = Some(index);
            }
        }
        let Some(last_done) = last_done else { return };
        if !self.is_terminal(state) {
            let next = phases
                .iter()
                .enumerate()
                .skip(last_done + 1)
                .find(|(_, n)| !done.iter().any(|d| d == *n));
            if let Some((index, name)) = next
                && current != *name
                && let Some(started) = phase(policy, index, "running")
            {
                merge(&mut handle, &progress_only(&started));
                events.push(Event::new(kind::PHASE_STARTED, started));
            }
        }
        handle.insert("completed_phases", value::texts(done));
        keep(handle, world, events);
    }

    fn finish_run(self, terminal: &str, prefix: &str, world: &mut World, events: &mut Vec<Event>) {
        let Some((mut handle, policy)) = self.running(world) else {
            return;
        };
        if !policy.id.starts_with(prefix) {
            return;
        }
        let mut end = described(policy, false);
        end.insert("terminal_state", Value::text(terminal));
        let stop = self.stop_reason(policy, terminal, world);
        let what = if let Some((reason, detail)) = stop {
            end.insert("status", Value::text("waiting"));
            end.insert("stop_reason", Value::text(reason));
            if !detail.is_empty() {
                end.insert("stop_detail", Value::text(detail));
            }
            kind::RUN_WAITING
        } else {
            end.insert("status", Value::text("completed"));
            if !policy.terminal_artifact.is_empty() {
                end.insert("terminal_artifact", Value::text(&policy.terminal_artifact));
                let artifact = artifact_handle(world.get(policy.terminal_artifact.trim()));
                if !artifact.is_empty() {
                    end.insert("terminal_artifact_handle", Value::text(artifact));
                }
            }
            kind::RUN_COMPLETED
        };
        merge(&mut handle, &end);
        events.push(Event::new(what, end));
        keep(handle, world, events);
    }

    /// The configured reason to stop that fits, and its detail.
    fn stop_reason(self, policy: &Operation, terminal: &str, world: &World) -> Option<(String, String)> {
        let normal = |text: &str| {
            text.trim()
                .to_lowercase()
                .trim_start_matches("__exit__")
                .replace('_', "-")
        };
        let exit = exit_name(terminal);
        let trimmed = |key: &str| world.text(key).trim().to_owned();
        let mut candidates = vec![exit.clone(), trimmed("status")];
        if !trimmed("needs_human_reason").is_empty() {
            candidates.push("needs-human".into());
        }
        for candidate in candidates {
            let candidate = normal(&candidate);
            let fits = |c: &&smol_str::SmolStr| !normal(c).is_empty() && normal(c) == candidate;
            // Of two spellings of one reason the later counts.
            let Some(reason) = policy.stop_on.iter().rev().find(fits) else {
                continue;
            };
            let mut detail = [trimmed("needs_human_reason"), trimmed("last_error")]
                .into_iter()
                .find(|d| !d.is_empty())
                .unwrap_or_default();
            if detail.is_empty()
                && let Some(message) = world
                    .get("host_error")
                    .and_then(|e| e.get("message"))
                    .and_then(Value::as_str)
            {
                detail = message.trim().to_owned();
            }
            if detail.is_empty() {
                let described = |name: &str| self.program.story.exits.iter().find(|e| e.name == name);
                detail = described(&exit)
                    .or_else(|| described(reason))
                    .map_or_else(String::new, |e| e.description.trim().to_owned());
            }
            return Some((reason.to_string(), detail));
        }
        None
    }
}

/// The last segment of a state, without the mark of an exit.
fn exit_name(state: &str) -> String {
    let state = state.trim().trim_start_matches("__exit__");
    state.rsplit(['.', '/']).next().unwrap_or_default().to_owned()
}

/// What every event of an operation says about its policy.
fn described(policy: &Operation, with_rules: bool) -> Map {
    let mut map = Map::new();
    for (key, text) in [
        ("title", &policy.title),
        ("mode", &policy.mode),
        ("execution_mode", &policy.execution_mode),
    ] {
        if !text.is_empty() {
            map.insert(key, Value::text(text));
        }
    }
    if policy.run_in_background {
        map.insert("run_in_background", Value::Bool(true));
    }
    if with_rules {
        for (key, list) in [
            ("stop_on", &policy.stop_on),
            ("pause_on", &policy.pause_on),
            ("phase_summary_from", &policy.phases),
        ] {
            if !list.is_empty() {
                map.insert(key, value::texts(list));
            }
        }
    }
    map.insert("operation_id", Value::text(&policy.id));
    map.insert("policy_id", Value::text(&policy.id));
    map
}

fn phase(policy: &Operation, index: usize, status: &str) -> Option<Map> {
    let phases = policy.phase_keys();
    let name = phases.get(index)?;
    Some(value::map([
        ("operation_id", Value::text(&policy.id)),
        ("policy_id", Value::text(&policy.id)),
        ("status", Value::text("running")),
        ("phase", Value::text(name)),
        ("phase_index", Value::Int(i64::try_from(index).unwrap_or(i64::MAX))),
        ("phase_status", Value::text(status)),
        ("artifact_key", Value::text(name)),
    ]))
}

/// The part of a phase event that the handle takes over.
fn progress_only(phase: &Map) -> Map {
    ["phase", "phase_index", "phase_status", "artifact_key"]
        .into_iter()
        .filter_map(|key| phase.get(key).map(|v| (key, v.clone())))
        .collect()
}

fn merge(into: &mut Map, from: &Map) {
    for (key, value) in from.iter() {
        into.insert(key.clone(), value.clone());
    }
}

/// Writes the handle: below any overlay, and into the log.
fn keep(handle: Map, world: &mut World, events: &mut Vec<Event>) {
    let set = value::map([(OPERATION_RUN, Value::Map(handle.clone()))]);
    world.set_durable(OPERATION_RUN, Value::Map(handle));
    events.push(event!(kind::WORLD, "set": set));
}

fn text(map: &Map, key: &str) -> String {
    map.get(key)
        .filter(|v| !v.is_nil())
        .map(value::text)
        .unwrap_or_default()
}

fn is_present(value: Option<&Value>) -> bool {
    value.is_some_and(|v| match v {
        Value::Str(text) => !text.trim().is_empty(),
        other => value::is_set(other),
    })
}

fn artifact_handle(value: Option<&Value>) -> String {
    match value {
        Some(Value::Str(text)) => text.trim().to_owned(),
        Some(Value::Map(map)) => {
            let own = [text(map, "handle_id"), text(map, "id")];
            let nested = map
                .get("handle")
                .and_then(Value::as_map)
                .map(|h| text(h, "id"))
                .unwrap_or_default();
            own.into_iter().find(|t| !t.is_empty()).unwrap_or(nested)
        }
        _ => String::new(),
    }
}
