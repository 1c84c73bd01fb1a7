//! A flow that is played: a session, what answers it, virtual time. `test flows` judges what comes of it, `drive --replay`
//! shows it; both play the same way (`testing` 9).

use std::path::Path;
use std::sync::Arc;

use kitsoki_expr::{Env, Map, Value, parse_p};
use kitsoki_runtime::gate::Gates;
use kitsoki_runtime::machine::Call;
use kitsoki_runtime::session::{
    Answer, Ask, CANCELLED, HostAnswer, HostResult, Input, Interpreted, Mode, Outcome, Question, Said, Session, Step,
};
use kitsoki_runtime::{Config, Program, World};
use smol_str::SmolStr;

use crate::doc::{self, Fatal};
use crate::fixture::{Flow, Turn};
use crate::rig::{RealHosts, Reply, Rig};
use crate::tracefile::TraceFile;

/// Polling of a job that waits for an answer, in milliseconds.
const POLL_MS: u64 = 250;
/// Rounds of one step of time.
const MAX_ROUNDS: usize = 128;

/// A job that has not answered yet.
struct Pending {
    job: SmolStr,
    due_ms: u64,
    question: Option<String>,
    asked: bool,
    stopped: bool,
    result: HostResult,
}

/// A flow on its way.
pub struct Player<'r> {
    /// The session.
    pub session: Session,
    /// What answers it.
    pub rig: Rig<'r>,
    pending: Vec<Pending>,
    trace: Option<TraceFile>,
    outcome: Option<Outcome>,
}

impl<'r> Player<'r> {
    /// Puts the session where the flow begins.
    ///
    /// # Errors
    /// When the flow wants a mode that there is not, a cassette of it cannot be read, or the trace cannot be written.
    pub fn new(
        program: &'r Arc<Program>,
        flow: &Flow,
        gates: Gates,
        real: Option<&'r dyn RealHosts>,
        trace: Option<&Path>,
    ) -> Result<Self, Fatal> {
        if !matches!(flow.mode.as_str(), "" | "one-shot" | "oneshot" | "staged") {
            return Err(Fatal(format!(
                "{}: mode `{}` is not known: use one-shot or staged",
                flow.file.display(),
                flow.mode
            )));
        }
        let rig = Rig::new(program, flow, real)?;
        let trace = trace.map(TraceFile::create).transpose()?;
        let config = Config {
            session_id: "flow".into(),
            staged: flow.mode == "staged",
            gates,
            ..Config::default()
        };
        let mut session = Session::new(Arc::clone(program), config);
        // What a fixture sets by itself stands in the log, not in the trace: a trace is what the story did.
        session.seed(flow.initial_state.as_deref(), &flow.initial_world);
        Ok(Self {
            session,
            rig,
            pending: Vec::new(),
            trace,
            outcome: None,
        })
    }

    /// Sees that the trace is in its file.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(&mut self) -> Result<(), Fatal> {
        self.trace.as_mut().map_or(Ok(()), TraceFile::finish)
    }

    /// One turn of the fixture: the intent, then the time that passes.
    ///
    /// # Errors
    /// What ends the whole run: a turn that cannot be played.
    pub fn turn(&mut self, turn: &Turn) -> Result<Outcome, Fatal> {
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
            self.session.resting()
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
