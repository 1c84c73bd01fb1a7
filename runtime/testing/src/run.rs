//! Running one flow through a session: turns, time, jobs (`testing` 8, 9).

use std::path::Path;
use std::sync::Arc;

use kitsoki_expr::{Map, Value};
use kitsoki_runtime::event::{Event, kind};
use kitsoki_runtime::gate::Gates;
use kitsoki_runtime::machine::{Call, Machine};
use kitsoki_runtime::session::{JobStatus, Mode, Outcome, sorted};
use kitsoki_runtime::{Program, World};
use smol_str::SmolStr;

use crate::doc::Fatal;
use crate::expect;
use crate::fixture::{Flow, Turn};
use crate::play::Player;
use crate::recording::Recording;
use crate::report::{FlowResult, TurnResult};
use crate::rig::RealHosts;
use crate::strays::CassetteUse;

/// How flows are run.
#[derive(Clone, Copy, Default)]
pub struct Options<'o> {
    /// Who answers for changes in read-only rooms.
    pub gates: Gates,
    /// Stop a flow at its first failing turn.
    pub fail_fast: bool,
    /// Recording in place of what flows name.
    pub recording: Option<&'o Path>,
    /// A recording that is not there, or does not know a text, leaves the flow out.
    pub allow_missing_recording: bool,
    /// Trace of the run.
    pub trace: Option<&'o Path>,
    /// Episodes that never answer, and calls that differ from what was recorded, fail a flow.
    pub strict_cassettes: bool,
    /// Note which lines of scripts are run ([`FlowResult::scripts`]).
    pub covers: bool,
    /// The handlers of the product.
    pub real: Option<&'o dyn RealHosts>,
}

/// Runs a flow.
///
/// # Errors
/// What ends the whole run.
pub fn run(program: &Arc<Program>, flow: &Flow, options: Options<'_>) -> Result<FlowResult, Fatal> {
    if orchestrated(flow) {
        Runner::new(program, flow, options)?.run()
    } else {
        machine_only(program, flow, options)
    }
}

/// Which of the two runners a flow takes (`testing` 3).
#[must_use]
pub fn orchestrated(flow: &Flow) -> bool {
    flow.use_orchestrator.unwrap_or_else(|| {
        let timed = |t: &Turn| t.advance_clock.as_ref().is_some_and(|a| !a.is_empty());
        flow.has_stubs
            || !flow.host_cassette.is_empty()
            || !flow.http_cassette.is_empty()
            || flow
                .turns
                .iter()
                .any(|t| timed(t) || t.expect_inbox.is_some() || !t.expect_jobs.is_empty())
    })
}

struct Runner<'r> {
    flow: &'r Flow,
    options: Options<'r>,
    player: Player<'r>,
    result: FlowResult,
}

impl<'r> Runner<'r> {
    fn new(program: &'r Arc<Program>, flow: &'r Flow, options: Options<'r>) -> Result<Self, Fatal> {
        let mut player = Player::new(program, flow, options.gates, options.real, options.trace)?;
        player.rig.covers = options.covers;
        Ok(Self {
            flow,
            options,
            player,
            result: FlowResult {
                file: flow.file.clone(),
                ..FlowResult::default()
            },
        })
    }

    fn run(mut self) -> Result<FlowResult, Fatal> {
        let flow = self.flow;
        let start = self.player.session.log().len();
        let mut refused = false;
        for (index, turn) in flow.turns.iter().enumerate() {
            let place = |e: Fatal| Fatal(format!("{}: turn {}: {}", flow.file.display(), index + 1, e.0));
            let before = self.player.session.log().len();
            let jobs: Vec<(SmolStr, JobStatus)> = self
                .player
                .session
                .jobs()
                .into_iter()
                .map(|j| (j.id, j.status))
                .collect();
            self.player.rig.turn = index;
            let outcome = self.player.turn(turn).map_err(place)?;
            let log = self.player.session.log();
            let events: Vec<Event> = log.get(before..).unwrap_or_default().to_vec();
            let mut result = TurnResult {
                index: Some(index),
                line: turn.line,
                state: self.player.session.state().clone(),
                ..TurnResult::default()
            };
            refused |= outcome.mode == Mode::Rejected;
            if let Some(check) = &turn.expect_error {
                expect_error(check, &outcome, &mut result.failures);
            } else {
                self.judge(turn, &outcome, &events, &jobs, index, &mut result);
            }
            result.events = events;
            let failed = !result.failures.is_empty();
            let skips_fail_fast = turn.expect_error.is_some();
            self.result.turns.push(result);
            if self.options.fail_fast && failed && !skips_fail_fast {
                break;
            }
        }
        self.finish(start, refused)
    }

    fn judge(
        &self,
        turn: &Turn,
        outcome: &Outcome,
        events: &[Event],
        jobs: &[(SmolStr, JobStatus)],
        index: usize,
        result: &mut TurnResult,
    ) {
        let out = &mut result.failures;
        if outcome.mode == Mode::Rejected {
            let code = outcome.error.map_or("", |c| c.as_str());
            let refusal = expect::Refusal {
                what: format!("unexpected rejection: code={code}: {}", outcome.message),
                hint: &outcome.guard_hint,
                missing: &outcome.missing_slots,
                allowed: &outcome.allowed_intents,
            };
            out.push(refusal.told(self.player.session.program(), turn));
        }
        let world = self.player.session.world();
        let state = self.player.session.state().clone();
        match self.player.session.machine().render(&state, &world) {
            Ok(view) => result.view = view,
            Err(error) => out.push(format!(
                "G-VIEW: post-turn render failed for state \"{state}\": {error}"
            )),
        }
        if !outcome.view.is_empty() {
            result.view.clone_from(&outcome.view);
        }
        let all: Vec<&Event> = events.iter().collect();
        expect::state(turn, &state, self.player.session.program(), out);
        expect::world("expect_world", &turn.expect_world, &world, out);
        expect::world_full(&turn.expect_world_full, &world, out);
        expect::events(&turn.expect_events, &all, out);
        expect::events_exact(&turn.expect_events_exact, &all, out);
        expect::calls(&turn.expect_host_calls, &all, out);
        expect::no_calls("expect_no_host_calls", &turn.expect_no_host_calls, &all, out);
        expect::view(turn, &result.view, out);
        let file = self.flow.file.to_string_lossy();
        expect::no_silent_bounce(&file, index + 1, &all, &result.view, world.text("last_error"), out);
        expect::slots(&turn.expect_slots, outcome.slots.as_ref(), out);
        if let Some(check) = &turn.expect_inbox {
            expect::inbox(check, &self.player.session.inbox(), out);
        }
        if !turn.expect_jobs.is_empty() {
            expect::jobs(&turn.expect_jobs, jobs, &self.player.session.jobs(), out);
        }
    }

    fn finish(mut self, start: usize, refused: bool) -> Result<FlowResult, Fatal> {
        let flow = self.flow;
        let mut failures = Vec::new();
        let state = self.player.session.state().clone();
        let world = self.player.session.world();
        let all: Vec<&Event> = self
            .player
            .session
            .log()
            .get(start..)
            .unwrap_or_default()
            .iter()
            .collect();
        session_checks(
            flow,
            &self.player.session.machine(),
            &state,
            &world,
            &all,
            refused,
            true,
            &mut failures,
        );
        self.player.rig.save()?;
        if let Some(cassette) = self.player.rig.cassette() {
            let rest: Vec<&str> = cassette.remaining().map(|e| e.id.as_str()).collect();
            if (flow.strict_coverage || self.options.strict_cassettes) && !rest.is_empty() {
                failures.push(format!("unexpected remaining episodes: [{}]", rest.join(" ")));
            }
            self.result.cassette = Some(CassetteUse::of(cassette));
        }
        self.result.scripts = std::mem::take(&mut self.player.rig.scripts);
        self.result.strays = std::mem::take(&mut self.player.rig.strays);
        if self.options.strict_cassettes {
            let loose = self.result.strays.iter().filter(|s| s.answered);
            failures.extend(loose.map(|s| s.headline()));
        }
        for event in &all {
            let gate = event
                .payload
                .get("gate")
                .filter(|_| event.kind == kind::DISPATCHED || event.kind == kind::SUBMITTED);
            if let Some(room) = gate.and_then(|g| g.get("state")).and_then(Value::as_str) {
                let entry = (SmolStr::from(room), SmolStr::from(event.text("namespace")));
                if !self.result.assumed.contains(&entry) {
                    self.result.assumed.push(entry);
                }
            }
        }
        self.player.finish()?;
        Ok(closed(self.result, failures))
    }
}

fn expect_error(check: &crate::fixture::ErrorCheck, outcome: &Outcome, out: &mut Vec<String>) {
    if outcome.mode != Mode::Rejected {
        out.push(format!(
            "expect_error: expected error \"{}\" but got none (mode={})",
            check.code,
            outcome.mode.as_str()
        ));
        return;
    }
    let code = outcome.error.map_or("", |c| c.as_str());
    if code != check.code {
        out.push(format!("expect_error: code got \"{code}\", want \"{}\"", check.code));
    }
    for name in &check.allowed_contains {
        if !outcome.allowed_intents.iter().any(|a| a == name) {
            let all: Vec<&str> = outcome.allowed_intents.iter().map(|a| a.as_str()).collect();
            out.push(format!(
                "expect_error.allowed_contains: \"{name}\" not in [{}]",
                all.join(" ")
            ));
        }
    }
}

#[expect(
    clippy::too_many_arguments,
    reason = "the end of both runners; a struct would only name them again"
)]
fn session_checks(
    flow: &Flow,
    machine: &Machine<'_>,
    state: &str,
    world: &World,
    events: &[&Event],
    refused: bool,
    calls: bool,
    out: &mut Vec<String>,
) {
    let folder = flow.file.parent().unwrap_or(Path::new("."));
    if flow.expect_terminal && !machine.is_terminal(state) {
        out.push(format!("expect_terminal: state \"{state}\" is not terminal"));
    }
    let count = i64::try_from(events.len()).unwrap_or(i64::MAX);
    if let Some(least) = flow.expect_events_atleast.filter(|n| count < *n) {
        out.push(format!(
            "expect_events_count_atleast: got {count} events, want >= {least}"
        ));
    }
    if let Some(most) = flow.expect_events_atmost.filter(|n| count > *n) {
        out.push(format!(
            "expect_events_count_atmost: got {count} events, want <= {most}"
        ));
    }
    if flow.expect_no_errors && refused {
        out.push("expect_no_errors: there were validation errors".into());
    }
    expect::world("expect_world_final", &flow.expect_world_final, world, out);
    expect::no_calls("expect_no_host_calls", &flow.expect_no_host_calls, events, out);
    expect::files("expect_files", &flow.expect_files, folder, out);
    if let Some(check) = &flow.acceptance {
        expect::acceptance(check, folder, state, world, calls.then_some(events), out);
    }
    expect::operation(flow, events, out);
}

fn closed(mut result: FlowResult, failures: Vec<String>) -> FlowResult {
    if !failures.is_empty() {
        result.turns.push(TurnResult {
            index: None,
            failures,
            ..TurnResult::default()
        });
    }
    result.passed = result.turns.iter().all(|t| t.failures.is_empty());
    result
}

/// The runner without a session: the machine alone, calls are queued and forgotten.
fn machine_only(program: &Arc<Program>, flow: &Flow, options: Options<'_>) -> Result<FlowResult, Fatal> {
    let machine = Machine::new(program);
    let mut result = FlowResult {
        file: flow.file.clone(),
        ..FlowResult::default()
    };
    let folder = flow.file.parent().unwrap_or(Path::new("."));
    let named = match options.recording {
        Some(path) => Some(path.to_owned()),
        None if flow.recording.is_empty() => None,
        None => Some(folder.join(&flow.recording)),
    };
    let recording = match named.as_deref().map(Recording::load) {
        None => None,
        Some(Ok(recording)) => Some(recording),
        Some(Err(_)) if options.allow_missing_recording => {
            result.skipped = true;
            return Ok(result);
        }
        Some(Err(error)) => return Err(error),
    };
    let mut world = World::of_story(&program.story);
    for (key, value) in &flow.initial_world {
        world.vars.insert(key.clone(), value.clone());
    }
    let mut state = SmolStr::from(flow.initial_state.as_deref().unwrap_or_default());
    let mut all: Vec<Event> = Vec::new();
    let mut refused = false;
    for (index, turn) in flow.turns.iter().enumerate() {
        let place = |why: &str| Fatal(format!("{}: turn {}: {why}", flow.file.display(), index + 1));
        let call = match &turn.intent {
            Some(name) => Call {
                intent: name.clone(),
                slots: turn.slots.clone(),
            },
            None if !turn.input.is_empty() => match recording.as_ref().map(|r| r.find(&state, &turn.input)) {
                Some(Ok(call)) => call,
                _ if options.allow_missing_recording => {
                    result.skipped = true;
                    return Ok(result);
                }
                Some(Err(miss)) => return Err(place(&miss)),
                None => return Err(place("`input` needs a `recording`")),
            },
            None => return Err(place("neither `intent` nor `input` is set")),
        };
        for (key, value) in &turn.world_override {
            world.vars.insert(key.clone(), value.clone());
        }
        let before = world.vars.clone();
        let turned = machine.turn(&state, &world, &call).map_err(|e| place(&e.message))?;
        let mut checked = TurnResult {
            index: Some(index),
            line: turn.line,
            ..TurnResult::default()
        };
        refused |= turned.rejection.is_some();
        if let Some(check) = &turn.expect_error {
            match &turned.rejection {
                None => checked
                    .failures
                    .push(format!("expect_error: expected error \"{}\" but got none", check.code)),
                Some(no) => {
                    if no.code.as_str() != check.code {
                        checked.failures.push(format!(
                            "expect_error: code got \"{}\", want \"{}\"",
                            no.code.as_str(),
                            check.code
                        ));
                    }
                    for name in &check.allowed_contains {
                        if !no.allowed_intents.iter().any(|a| a == name) {
                            checked
                                .failures
                                .push(format!("expect_error.allowed_contains: \"{name}\" is missing"));
                        }
                    }
                    for name in &check.missing_slots {
                        if !no.missing_slots.iter().any(|m| m == name) {
                            checked
                                .failures
                                .push(format!("expect_error.missing_slots: \"{name}\" is not missing"));
                        }
                    }
                }
            }
            checked.state = state.clone();
            checked.events = turned.events;
            all.extend(checked.events.iter().cloned());
            result.turns.push(checked);
            continue;
        }
        let out = &mut checked.failures;
        if let Some(no) = &turned.rejection {
            let refusal = expect::Refusal {
                what: format!("unexpected validation error: {no}"),
                hint: &no.guard_hint,
                missing: &no.missing_slots,
                allowed: &no.allowed_intents,
            };
            out.push(refusal.told(program, turn));
        }
        state = turned.state;
        world = turned.world;
        match machine.render(&state, &world) {
            Ok(view) => checked.view = view,
            Err(error) => {
                out.push(format!(
                    "G-VIEW: post-turn render failed for state \"{state}\": {error}"
                ));
                checked.view = turned.view;
            }
        }
        let events: Vec<&Event> = turned.events.iter().collect();
        expect::state(turn, &state, program, out);
        expect::world("expect_world", &turn.expect_world, &world, out);
        expect::world_full(&turn.expect_world_full, &world, out);
        if turn.expect_world_unchanged {
            expect::unchanged(&before, &world, out);
        }
        expect::events(&turn.expect_events, &events, out);
        expect::events_exact(&turn.expect_events_exact, &events, out);
        expect::calls(&turn.expect_host_calls, &events, out);
        expect::no_calls("expect_no_host_calls", &turn.expect_no_host_calls, &events, out);
        expect::view(turn, &checked.view, out);
        expect::slots(&turn.expect_slots, turned.slots.as_ref(), out);
        checked.state = state.clone();
        checked.events = turned.events;
        all.extend(checked.events.iter().cloned());
        let failed = !checked.failures.is_empty();
        result.turns.push(checked);
        if options.fail_fast && failed {
            break;
        }
    }
    let mut failures = Vec::new();
    let events: Vec<&Event> = all.iter().collect();
    session_checks(flow, &machine, &state, &world, &events, refused, false, &mut failures);
    Ok(closed(result, failures))
}

/// Values by the order of their keys: how a fixture seeds a world.
#[must_use]
pub fn seeds(map: &Map) -> Vec<(SmolStr, Value)> {
    sorted(map)
}
