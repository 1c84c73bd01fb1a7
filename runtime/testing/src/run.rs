//! Running one flow through a session: turns, time, jobs (`testing` 8, 9).

use std::path::Path;
use std::sync::Arc;

use kitsoki_expr::{Env, Map, Value, parse_p};
use kitsoki_runtime::event::{Event, kind};
use kitsoki_runtime::gate::Gates;
use kitsoki_runtime::machine::{Call, Machine};
use kitsoki_runtime::session::{
    Answer, Ask, CANCELLED, HostAnswer, HostResult, Input, Interpreted, JobStatus, Mode, Outcome, Question, Said,
    Session, Step, sorted,
};
use kitsoki_runtime::{Config, Program, World};
use smol_str::SmolStr;

use crate::doc::{self, Fatal};
use crate::expect;
use crate::fixture::{Flow, Turn};
use crate::recording::Recording;
use crate::report::{FlowResult, TurnResult};
use crate::rig::{RealHosts, Reply, Rig};
use crate::strays::CassetteUse;
use crate::tracefile::TraceFile;

/// Polling of a job that waits for an answer, in milliseconds.
const POLL_MS: u64 = 250;
/// Rounds of one step of time.
const MAX_ROUNDS: usize = 128;

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
    /// The handlers of the product.
    pub real: Option<&'o dyn RealHosts>,
}

/// Runs a flow.
///
/// # Errors
/// What ends the whole run.
pub fn run(program: &Arc<Program>, flow: &Flow, options: Options<'_>) -> Result<FlowResult, Fatal> {
    if orchestrated(flow) && !matches!(flow.mode.as_str(), "" | "one-shot" | "oneshot" | "staged") {
        return Err(Fatal(format!(
            "{}: mode `{}` is not known: use one-shot or staged",
            flow.file.display(),
            flow.mode
        )));
    }
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

/// A job that has not answered yet.
struct Pending {
    job: SmolStr,
    due_ms: u64,
    question: Option<String>,
    asked: bool,
    stopped: bool,
    result: HostResult,
}

struct Runner<'r> {
    flow: &'r Flow,
    options: Options<'r>,
    session: Session,
    rig: Rig<'r>,
    pending: Vec<Pending>,
    trace: Option<TraceFile>,
    result: FlowResult,
    outcome: Option<Outcome>,
}

impl<'r> Runner<'r> {
    fn new(program: &'r Arc<Program>, flow: &'r Flow, options: Options<'r>) -> Result<Self, Fatal> {
        let rig = Rig::new(program, flow, options.real)?;
        let config = Config {
            session_id: "flow".into(),
            staged: flow.mode == "staged",
            gates: options.gates,
            ..Config::default()
        };
        let mut session = Session::new(Arc::clone(program), config);
        // What a fixture sets by itself stands in the log, not in the trace: a trace is what the story did.
        let trace = options.trace.map(TraceFile::create).transpose()?;
        session.seed(flow.initial_state.as_deref(), &flow.initial_world);
        Ok(Self {
            flow,
            options,
            session,
            rig,
            pending: Vec::new(),
            trace,
            result: FlowResult {
                file: flow.file.clone(),
                ..FlowResult::default()
            },
            outcome: None,
        })
    }

    fn run(mut self) -> Result<FlowResult, Fatal> {
        let flow = self.flow;
        let start = self.session.log().len();
        let mut refused = false;
        for (index, turn) in flow.turns.iter().enumerate() {
            let place = |e: Fatal| Fatal(format!("{}: turn {}: {}", flow.file.display(), index + 1, e.0));
            let before = self.session.log().len();
            let jobs: Vec<(SmolStr, JobStatus)> = self.session.jobs().into_iter().map(|j| (j.id, j.status)).collect();
            self.rig.turn = index;
            let outcome = self.turn(turn).map_err(place)?;
            let log = self.session.log();
            let events: Vec<Event> = log.get(before..).unwrap_or_default().to_vec();
            let mut result = TurnResult {
                index: Some(index),
                state: self.session.state().clone(),
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
            out.push(format!("unexpected rejection: code={code} hint={}", outcome.guard_hint));
        }
        let world = self.session.world();
        let state = self.session.state().clone();
        match self.session.machine().render(&state, &world) {
            Ok(view) => result.view = view,
            Err(error) => out.push(format!(
                "G-VIEW: post-turn render failed for state \"{state}\": {error}"
            )),
        }
        if !outcome.view.is_empty() {
            result.view.clone_from(&outcome.view);
        }
        let all: Vec<&Event> = events.iter().collect();
        expect::state(turn, &state, out);
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
            expect::inbox(check, &self.session.inbox(), out);
        }
        if !turn.expect_jobs.is_empty() {
            expect::jobs(&turn.expect_jobs, jobs, &self.session.jobs(), out);
        }
    }

    fn finish(mut self, start: usize, refused: bool) -> Result<FlowResult, Fatal> {
        let flow = self.flow;
        let mut failures = Vec::new();
        let state = self.session.state().clone();
        let world = self.session.world();
        let all: Vec<&Event> = self.session.log().get(start..).unwrap_or_default().iter().collect();
        session_checks(
            flow,
            &self.session.machine(),
            &state,
            &world,
            &all,
            refused,
            true,
            &mut failures,
        );
        self.rig.save()?;
        if let Some(cassette) = self.rig.cassette() {
            let rest: Vec<&str> = cassette.remaining().map(|e| e.id.as_str()).collect();
            if (flow.strict_coverage || self.options.strict_cassettes) && !rest.is_empty() {
                failures.push(format!("unexpected remaining episodes: [{}]", rest.join(" ")));
            }
            self.result.cassette = Some(CassetteUse::of(cassette));
        }
        self.result.strays = std::mem::take(&mut self.rig.strays);
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
        if let Some(trace) = &mut self.trace {
            trace.finish()?;
        }
        Ok(closed(self.result, failures))
    }

    /// One turn of the fixture: the intent, then the time that passes.
    fn turn(&mut self, turn: &Turn) -> Result<Outcome, Fatal> {
        let timed = turn.advance_clock.as_ref().filter(|a| !a.is_empty());
        let outcome = if let Some(name) = &turn.intent {
            let world = self.session.world();
            self.rig.state = self.session.state().to_string();
            let slots = turn.slots.as_ref().map(|slots| rendered(slots, &world));
            if !turn.world_override.is_empty() {
                self.submit(Input::Override(turn.world_override.clone()))?;
            }
            let shown = Some(turn.display_input.clone()).filter(|d| !d.is_empty());
            let call = Call {
                intent: name.clone(),
                slots,
            };
            let step = self.submit(Input::Intent { call, shown })?;
            self.outcome = None;
            self.drive(step)?;
            let outcome = self
                .outcome
                .take()
                .ok_or_else(|| Fatal("the turn did not end".into()))?;
            if outcome.mode == Mode::Failed {
                return Err(Fatal(outcome.message));
            }
            outcome
        } else if !turn.input.is_empty() {
            return Err(Fatal(format!(
                "`input: {}`: free text needs the machine-only runner with a recording; use `intent` here",
                turn.input
            )));
        } else if timed.is_some() {
            resting(&self.session)
        } else {
            return Err(Fatal("a turn needs one of `intent`, `input`, `advance_clock`".into()));
        };
        if let Some(text) = timed {
            let ms = doc::duration_ms(text)
                .ok_or_else(|| Fatal(format!("advance_clock `{text}` is no duration (300ms, 1h30m, 2d)")))?;
            if let Ok(ms) = u64::try_from(ms)
                && ms > 0
            {
                self.advance(ms)?;
            }
        }
        Ok(outcome)
    }

    fn submit(&mut self, input: Input) -> Result<Step, Fatal> {
        self.session.submit(input).map_err(|e| Fatal(e.to_string()))
    }

    /// Sees to everything that a step asks for.
    fn drive(&mut self, step: Step) -> Result<(), Fatal> {
        let mut step = step;
        loop {
            if let Some(trace) = &mut self.trace {
                trace.write(&step.events)?;
            }
            for job in &step.stops {
                for pending in self.pending.iter_mut().filter(|p| p.job == *job) {
                    pending.stopped = true;
                }
            }
            if let Some(outcome) = step.outcomes.into_iter().rfind(|o| !o.synthetic) {
                self.outcome = Some(outcome);
            }
            let mut next = None;
            for request in step.requests {
                match request.what {
                    Ask::Job { job, call } => {
                        let reply = self.rig.answer(&call, true);
                        self.files(&reply)?;
                        let now = self.session.clock_ms();
                        self.pending.push(Pending {
                            job,
                            due_ms: now.saturating_add(u64::try_from(reply.delay_ms).unwrap_or(0)),
                            question: reply.question,
                            asked: false,
                            stopped: false,
                            result: reply.result,
                        });
                    }
                    Ask::Call(call) => {
                        let mut reply = self.rig.answer(&call, false);
                        self.files(&reply)?;
                        if let Some(job) = reply.answers_job.take() {
                            reply.result = self.answer_job(&job);
                        }
                        for (severity, title, body) in reply.notices.drain(..) {
                            self.session.notify(&severity, title, body);
                        }
                        next = Some((
                            request.id,
                            Answer::Host(HostAnswer {
                                result: reply.result,
                                cost_usd: 0.0,
                                notes: reply.notes,
                            }),
                        ));
                    }
                    Ask::Grant { .. } => next = Some((request.id, Answer::Grant(None))),
                    Ask::Interpret(_) => {
                        let said = Said::Failed("a flow has no model that interprets texts".into());
                        let answer = Interpreted { said, cost_usd: 0.0 };
                        next = Some((request.id, Answer::Interpreted(answer)));
                    }
                }
            }
            let Some((id, answer)) = next else { return Ok(()) };
            step = self.session.resume(id, answer);
        }
    }

    fn files(&self, reply: &Reply) -> Result<(), Fatal> {
        match &self.trace {
            Some(trace) => trace.beside(&reply.files),
            None => Ok(()),
        }
    }

    fn answer_job(&mut self, job: &str) -> HostResult {
        if !self.session.job_answered(job) {
            return HostResult::Domain {
                message: format!("host.jobs.answer_clarification: job \"{job}\" is not waiting for input"),
                data: None,
            };
        }
        let now = self.session.clock_ms();
        if let Some(pending) = self.pending.iter_mut().find(|p| p.job == job) {
            pending.question = None;
            // The job looks for its answer again and again.
            pending.due_ms = now + 200;
        }
        HostResult::Done(Some(kitsoki_runtime::value::map([
            ("job_id", Value::text(job)),
            ("answered", Value::Bool(true)),
        ])))
    }

    /// Lets time pass: what is due fires in the order of its time, and what follows from it.
    fn advance(&mut self, ms: u64) -> Result<(), Fatal> {
        let target = self.session.clock_ms().saturating_add(ms);
        self.session.set_clock(target);
        let mut rounds = 0;
        loop {
            rounds += 1;
            if rounds > MAX_ROUNDS {
                return Err(Fatal(
                    "advance_clock: jobs and timeouts did not settle in 128 rounds".into(),
                ));
            }
            let now = self.session.clock_ms();
            let timeout = self.session.next_timeout_ms().filter(|due| *due <= now);
            let job = self.next_job(now);
            let step = match (timeout, job) {
                (Some(due), Some(at)) if self.pending.get(at).is_some_and(|p| p.due_ms <= due) => self.end_job(at),
                (Some(_), _) => self.session.advance(now),
                (None, Some(at)) => self.end_job(at),
                (None, None) => {
                    let polls = |p: &Pending| p.asked && p.question.is_none() && p.due_ms > now;
                    if self.pending.iter().any(polls) {
                        self.session.set_clock(now + POLL_MS);
                        continue;
                    }
                    return Ok(());
                }
            };
            self.drive(step)?;
        }
    }

    /// The job that does something next: it asks, or it ends.
    fn next_job(&self, now: u64) -> Option<usize> {
        let ready = |p: &Pending| {
            let asks = p.question.is_some();
            p.stopped || (p.due_ms <= now && !(asks && p.asked))
        };
        let mut all: Vec<usize> = (0..self.pending.len()).collect();
        all.sort_by_key(|n| self.pending.get(*n).map(|p| p.due_ms));
        all.into_iter().find(|n| self.pending.get(*n).is_some_and(ready))
    }

    fn end_job(&mut self, at: usize) -> Step {
        let Some(pending) = self.pending.get_mut(at) else {
            return Step::default();
        };
        if let Some(prompt) = pending.question.clone().filter(|_| !pending.stopped) {
            pending.asked = true;
            let fields = kitsoki_runtime::value::map([("answer", Value::text("string"))]);
            self.session.job_asks(&pending.job.clone(), Question { prompt, fields });
            return Step::default();
        }
        let pending = self.pending.remove(at);
        let result = if !pending.stopped {
            pending.result
        } else if pending.question.is_some() {
            // A stub that waits answers the interruption as a failure of its own.
            HostResult::Domain {
                message: "request_clarification: cancelled".into(),
                data: None,
            }
        } else {
            match pending.result {
                HostResult::Infra(_) => HostResult::Infra(CANCELLED.into()),
                other => other,
            }
        };
        self.session.job_ended(&pending.job, result)
    }
}

fn resting(session: &Session) -> Outcome {
    session.resting()
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

/// Slots whose texts are templates of the view language over the world; each becomes a text.
fn rendered(slots: &Map, world: &World) -> Map {
    let one = |value: &Value| match value {
        Value::Str(text) if text.contains("{{") => {
            let env = Env {
                world: Some(world.vars.clone()),
                ..Env::default()
            };
            let (template, _) = parse_p(text);
            match template.render(&env, None) {
                Ok(out) => Value::from(out),
                Err(error) => Value::from(format!("(renderSlots error for \"{text}\": {error})")),
            }
        }
        other => other.clone(),
    };
    slots.iter().map(|(key, value)| (key.clone(), one(value))).collect()
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
            out.push(format!("unexpected validation error: {no} hint={}", no.guard_hint));
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
        expect::state(turn, &state, out);
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
