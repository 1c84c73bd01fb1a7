//! A session: a story on its way, driven from outside.
//!
//! [`Session::submit`] takes an input, [`Session::resume`] the answer to a request, [`Session::advance`] the time,
//! [`Session::job_ended`] the end of a job. Each returns a [`Step`]: the events that were written down, the requests that
//! the driver has to see to, and the outcomes of the turns that ended. A turn that waits for an answer keeps others out
//! ([`Busy`]); ends of jobs and timeouts that come meanwhile are taken when it is over.
//!
//! State and world are the fold of the log ([`Journey`]): a session that is given the log of another is where that one was.

mod aside;
mod briefing;
mod dispatch;
mod heard;
mod input;
mod interpret;
mod jobs;
mod outcome;
mod port;
mod redirect;
mod settle;
mod task;
mod turns;
mod workbench;

use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use kitsoki_expr::{Map, Value};
use kitsoki_ir::Redirect;
use smol_str::SmolStr;

pub use dispatch::{FAILURE_MARK, at_path};
pub use heard::{Heard, Hearing};
pub use input::{Input, Provenance};
pub use outcome::{Mode, Outcome};
pub use port::{
    Answer, Ask, HostAnswer, HostRequest, HostResult, Interpretation, Interpreted, Job, JobStatus, Notification,
    Question, Request, Said,
};

use crate::event::{Event, event, kind};
use crate::gate::Gates;
use crate::machine::Machine;
use crate::program::Program;
pub use crate::replay::Journey;
use crate::value;
use crate::world::World;
use outcome::Done;
use port::Port;
use task::Task;
use turns::{Coming, Origin};

/// Whether host calls are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum HostCalls {
    /// They go out as requests.
    #[default]
    Made,
    /// Nothing stands behind them: they are queued and forgotten.
    Ignored,
}

/// How a session is run.
#[derive(Clone, Debug)]
pub struct Config {
    /// What `world.session_id` says.
    pub session_id: String,
    /// Rooms that ask for a decision wait for the operator.
    pub staged: bool,
    /// Who answers for changes in read-only rooms.
    pub gates: Gates,
    /// Whoever answers keeps the agents of read-only rooms behind a wall, whatever their class: their calls go out without
    /// a grant, with no more reach than the room allows ([`HostRequest::reach`]).
    pub walled_agents: bool,
    /// Whether host calls are made.
    pub hosts: HostCalls,
    /// Whether the story's decider may be asked.
    pub decides: bool,
    /// The session is driven through to a rest: self arcs with effects enter their room again.
    pub intercept: bool,
    /// Write a hash of state and world at the end of each turn; [`Session::replay`] checks it.
    pub hashes: bool,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            session_id: "session".into(),
            staged: false,
            gates: Gates::Strict,
            walled_agents: false,
            hosts: HostCalls::Made,
            decides: false,
            intercept: false,
            hashes: false,
        }
    }
}

/// What happened since the driver last had control.
#[derive(Debug, Default)]
pub struct Step {
    /// Events in the order in which a trace takes them.
    pub events: Vec<Event>,
    /// What the driver has to do.
    pub requests: Vec<Request>,
    /// Turns that ended.
    pub outcomes: Vec<Outcome>,
    /// Jobs that are to be stopped.
    pub stops: Vec<SmolStr>,
}

/// A turn waits for an answer; nothing else is taken meanwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a turn is under way: it waits for the answer to request {request}")]
pub struct Busy {
    /// The request.
    pub request: u64,
}

/// A state's timeout.
#[derive(Clone, Debug)]
struct Timer {
    state: SmolStr,
    target: Redirect,
    due_ms: u64,
}

/// Turns that the engine makes itself when it is free.
#[derive(Debug)]
enum Waiting {
    Job { job: SmolStr, result: HostResult },
    Timeout(Timer),
}

type Running = Pin<Box<dyn Future<Output = Option<Done>> + Send>>;

/// A story on its way.
pub struct Session {
    program: Arc<Program>,
    config: Arc<Config>,
    journey: Journey,
    initial: SmolStr,
    log: Vec<Event>,
    port: Port,
    running: Option<Running>,
    /// Where the running turn began, and its number.
    began: (SmolStr, u64),
    /// How many jobs there were then.
    jobs_before: usize,
    waiting: VecDeque<Waiting>,
    timer: Option<Timer>,
    clock_ms: u64,
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session")
            .field("state", &self.journey.state)
            .field("turn", &self.journey.turn)
            .finish_non_exhaustive()
    }
}

impl Session {
    /// A session at the story's beginning.
    #[must_use]
    pub fn new(program: Arc<Program>, config: Config) -> Self {
        let world = World::of_story(&program.story);
        let machine = Machine::new(&program);
        let root = program.story.root.map_or("", |id| program.story.path(id));
        let env = crate::machine::env(&world, &Map::new());
        let initial = machine.descend(root, &env).unwrap_or_else(|_| root.into());
        let journey = Journey::start(initial.clone(), world);
        Self {
            program,
            config: Arc::new(config),
            initial,
            began: (journey.state.clone(), 0),
            jobs_before: 0,
            journey,
            log: Vec::new(),
            port: Port::default(),
            running: None,
            waiting: VecDeque::new(),
            timer: None,
            clock_ms: 0,
        }
    }

    /// A session that is where the writer of a log was. Jobs and timeouts of that session are not taken over: a job that
    /// was at work is lost with its process.
    ///
    /// # Errors
    /// The turn whose hash does not fit, when the log has hashes.
    pub fn replay(program: Arc<Program>, config: Config, log: Vec<Event>) -> Result<Self, Divergence> {
        let mut session = Self::new(program, config);
        for event in log {
            if event.kind == kind::TURN_END
                && let Some(Value::Str(wanted)) = event.payload.get("state_hash")
                && *wanted != session.hash()
            {
                return Err(Divergence { turn: event.turn });
            }
            if event.kind == kind::SUBMITTED {
                // A new job must not be taken for one of the log.
                session.port.lock().numbered += 1;
            }
            session.journey.apply(&session.program, &event);
            session.log.push(event);
        }
        session.rearm("");
        Ok(session)
    }

    /// The story.
    #[must_use]
    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// The machine of the story.
    #[must_use]
    pub fn machine(&self) -> Machine<'_> {
        Machine::new(&self.program)
    }

    /// Everything that was written down.
    #[must_use]
    pub fn log(&self) -> &[Event] {
        &self.log
    }

    /// Where the session rests.
    #[must_use]
    pub fn state(&self) -> &SmolStr {
        &self.journey.state
    }

    /// The number of the last turn.
    #[must_use]
    pub fn turn(&self) -> u64 {
        self.journey.turn
    }

    /// The world as a turn finds it: the fold of the log, and what only lives in the process.
    #[must_use]
    pub fn world(&self) -> World {
        let mut world = self.journey.world.clone();
        let mut ide = world.get("ide").and_then(Value::as_map).cloned().unwrap_or_default();
        ide.insert("connected", Value::Bool(false));
        world.vars.insert("ide", Value::Map(ide));
        if world.text("session_id").is_empty() {
            world.vars.insert("session_id", Value::text(&self.config.session_id));
        }
        world
    }

    /// The fold of the log.
    #[must_use]
    pub fn journey(&self) -> &Journey {
        &self.journey
    }

    /// A hash of state and world.
    #[must_use]
    pub fn hash(&self) -> String {
        let mut vars = self.journey.world.vars.clone();
        vars.insert("\u{0}state", Value::Str(self.journey.state.clone()));
        crate::machine::hash(&vars)
    }

    /// Whether a turn waits for an answer.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        self.running.is_some()
    }

    /// The jobs in the order of their start.
    #[must_use]
    pub fn jobs(&self) -> Vec<Job> {
        self.port.lock().jobs.clone()
    }

    /// The inbox, oldest first.
    #[must_use]
    pub fn inbox(&self) -> Vec<Notification> {
        self.port.lock().inbox.clone()
    }

    /// Adds to the inbox.
    pub fn notify(&self, severity: &str, title: impl Into<String>, body: impl Into<String>) {
        self.port.notify(severity, title.into(), body.into());
    }

    /// Puts the session into a state with a world, as a fixture begins: events of turn 0, no effects.
    pub fn seed(&mut self, state: Option<&str>, world: &[(SmolStr, Value)]) -> Vec<Event> {
        let mut events = Vec::new();
        if let Some(state) = state {
            events.push(event!(kind::TRANSITION, "from": "", "to": state, "intent": "__seed__"));
        }
        for (key, value) in world {
            events.push(task::set_event(key, value.clone()));
        }
        self.append(events.clone());
        self.rearm("");
        events
    }

    /// Takes an input and runs until the turn ends or waits.
    ///
    /// # Errors
    /// When a turn is under way.
    pub fn submit(&mut self, input: Input) -> Result<Step, Busy> {
        if self.running.is_some() {
            return Err(self.busy());
        }
        let task = self.task();
        let mut turn = task.turn;
        let mut journey = self.journey.clone();
        journey.world = self.world();
        let running: Running = match input {
            Input::Intent { call, shown } => {
                let shown = shown.unwrap_or_else(|| format!("[intent] {}", call.intent));
                let coming = Coming::new(call, shown, Origin::Fixture);
                Box::pin(async move { Some(task.intent(coming, &journey).await) })
            }
            Input::Direct { call, text, provenance } => {
                let shown = if text.is_empty() {
                    format!("[direct] intent={}", call.intent)
                } else {
                    text.clone()
                };
                let mut coming = Coming::new(call, shown, Origin::Direct);
                coming.provenance = provenance;
                Box::pin(async move { Some(task.direct(coming, &text, &journey).await) })
            }
            Input::Continue { call } => {
                let shown = format!("[clarify-continue] intent={}", call.intent);
                let coming = Coming::new(call, shown, Origin::Continued);
                Box::pin(async move { Some(task.intent(coming, &journey).await) })
            }
            Input::Text { text } => {
                let recent = briefing::recent(&self.log);
                Box::pin(async move { Some(task.interpret(&text, &recent, &journey).await) })
            }
            Input::Aside { text } => Box::pin(async move { Some(task.off_path(&text, &journey).await) }),
            Input::Override(values) => {
                let events: Vec<Event> = values.into_iter().map(|(k, v)| task::set_event(&k, v)).collect();
                let done = Done::synthetic(events, self.journey.state.clone());
                Box::pin(std::future::ready(Some(done)))
            }
            Input::Boot => {
                if !self.log.is_empty() {
                    return Ok(Step::default());
                }
                let state = self.journey.state.clone();
                turn = 0;
                let task = Task { turn, ..task };
                Box::pin(async move { Some(task.boot(&journey).await.unwrap_or_else(|e| broken(e, state))) })
            }
            Input::Reload { force } => {
                let state = self.journey.state.clone();
                Box::pin(async move { Some(task.reload(&journey, force).await.unwrap_or_else(|e| broken(e, state))) })
            }
            Input::Teleport {
                to,
                slots,
                job,
                proposal,
            } => {
                let state = self.journey.state.clone();
                Box::pin(async move {
                    let done = task.teleport(&journey, &to, &slots, &job, &proposal);
                    Some(done.unwrap_or_else(|e| broken(e, state)))
                })
            }
        };
        self.start(running, turn);
        Ok(self.run())
    }

    /// Takes the answer to a request. One that nobody waits for (given twice, given too late) is dropped.
    pub fn resume(&mut self, request: u64, answer: Answer) -> Step {
        {
            let mut shared = self.port.lock();
            if shared.awaited != Some(request) || shared.answer.is_some() {
                return Step::default();
            }
            shared.answer = Some(answer);
        }
        self.run()
    }

    /// Stops the running turn, and the jobs that it has started; nothing of it is applied. Its answers are dropped when
    /// they come.
    pub fn cancel(&mut self) -> Step {
        let mut step = Step::default();
        if self.running.take().is_none() {
            return step;
        }
        {
            let mut shared = self.port.lock();
            shared.awaited = None;
            shared.answer = None;
            shared.outbox.clear();
            let at = self.jobs_before.min(shared.jobs.len());
            let started = shared.jobs.split_off(at);
            step.stops
                .extend(started.into_iter().filter(|j| !j.status.is_over()).map(|j| j.id));
            step.events = std::mem::take(&mut shared.live);
        }
        let (state, turn) = self.began.clone();
        step.outcomes.push(Outcome::of(Mode::Cancelled, state, turn));
        let mut rest = self.run();
        step.events.append(&mut rest.events);
        step.requests.append(&mut rest.requests);
        step.outcomes.append(&mut rest.outcomes);
        step.stops.append(&mut rest.stops);
        step
    }

    /// Takes the end of a job. A job that is unknown or over already is left alone.
    pub fn job_ended(&mut self, job: &str, result: HostResult) -> Step {
        {
            let mut shared = self.port.lock();
            let Some(own) = shared.jobs.iter_mut().find(|j| j.id == job && !j.status.is_over()) else {
                return Step::default();
            };
            own.question = None;
            own.status = match &result {
                HostResult::Done(_) => JobStatus::Done,
                HostResult::Domain { message, .. } => {
                    own.error.clone_from(message);
                    JobStatus::Failed
                }
                HostResult::Infra(message) => {
                    own.error.clone_from(message);
                    if own.error == CANCELLED {
                        JobStatus::Cancelled
                    } else {
                        JobStatus::Failed
                    }
                }
            };
        }
        self.waiting.push_back(Waiting::Job {
            job: job.into(),
            result,
        });
        self.run()
    }

    /// A job at work asks the operator something.
    pub fn job_asks(&mut self, job: &str, question: Question) {
        let mut shared = self.port.lock();
        let Some(own) = shared
            .jobs
            .iter_mut()
            .find(|j| j.id == job && j.status == JobStatus::Running)
        else {
            return;
        };
        own.status = JobStatus::AwaitingInput;
        own.question = Some(question.clone());
        let verb = own.verb.clone();
        drop(shared);
        self.port
            .notify("action_required", format!("Input needed: {verb}"), question.prompt);
    }

    /// The operator has answered a job: it is at work again.
    pub fn job_answered(&mut self, job: &str) -> bool {
        let mut shared = self.port.lock();
        let own = shared
            .jobs
            .iter_mut()
            .find(|j| j.id == job && j.status == JobStatus::AwaitingInput);
        let Some(own) = own else { return false };
        own.status = JobStatus::Running;
        own.question = None;
        true
    }

    /// Says who answers for changes in read-only rooms from the next turn on: an operator comes and goes.
    pub fn set_gates(&mut self, gates: Gates) {
        Arc::make_mut(&mut self.config).gates = gates;
    }

    /// Moves the clock, in milliseconds since the session's own beginning. A timeout that is due fires.
    pub fn advance(&mut self, to_ms: u64) -> Step {
        self.clock_ms = self.clock_ms.max(to_ms);
        if let Some(timer) = self.timer.take_if(|t| t.due_ms <= to_ms) {
            self.waiting.push_back(Waiting::Timeout(timer));
        }
        self.run()
    }

    /// Moves the clock without firing anything.
    pub fn set_clock(&mut self, to_ms: u64) {
        self.clock_ms = self.clock_ms.max(to_ms);
    }

    /// What a turn that does nothing would say: the session rests where it is.
    #[must_use]
    pub fn resting(&self) -> Outcome {
        Outcome::of(Mode::Transitioned, self.journey.state.clone(), self.journey.turn)
    }

    /// The session's clock.
    #[must_use]
    pub fn clock_ms(&self) -> u64 {
        self.clock_ms
    }

    /// When the next timeout is due.
    #[must_use]
    pub fn next_timeout_ms(&self) -> Option<u64> {
        self.timer.as_ref().map(|t| t.due_ms)
    }

    fn busy(&self) -> Busy {
        Busy {
            request: self.port.lock().awaited.unwrap_or_default(),
        }
    }

    fn task(&self) -> Task {
        Task {
            program: Arc::clone(&self.program),
            config: Arc::clone(&self.config),
            port: self.port.clone(),
            turn: self.journey.turn + 1,
        }
    }

    fn start(&mut self, running: Running, turn: u64) {
        self.began = (self.journey.state.clone(), turn);
        self.jobs_before = self.port.lock().jobs.len();
        self.running = Some(running);
    }

    /// Polls the running turn, and after it those that wait, as far as they go.
    fn run(&mut self) -> Step {
        let mut step = Step::default();
        loop {
            if self.running.is_none() && !self.next_waiting(&mut step) {
                break;
            }
            let Some(running) = &mut self.running else { continue };
            let polled = running.as_mut().poll(&mut Context::from_waker(Waker::noop()));
            {
                let mut shared = self.port.lock();
                step.events.append(&mut shared.live);
                step.requests.append(&mut shared.outbox);
                step.stops.append(&mut shared.stops);
            }
            match polled {
                Poll::Pending => break,
                Poll::Ready(done) => {
                    self.running = None;
                    if let Some(done) = done {
                        self.commit(done, &mut step);
                    }
                }
            }
        }
        step
    }

    /// Starts the next turn that the engine makes itself.
    fn next_waiting(&mut self, step: &mut Step) -> bool {
        let Some(next) = self.waiting.pop_front() else {
            return false;
        };
        let task = self.task();
        let mut journey = self.journey.clone();
        journey.world = self.world();
        let turn = task.turn;
        match next {
            Waiting::Job { job, result } => {
                let Some(job) = self.port.lock().jobs.iter().find(|j| j.id == job).cloned() else {
                    return true;
                };
                let running: Running = Box::pin(async move { task.complete_job(&job, result, &journey).await });
                self.start(running, turn);
            }
            Waiting::Timeout(timer) => {
                if self.journey.state != timer.state {
                    return true;
                }
                let state = self.program.resting(&timer.state);
                if state.is_some_and(|s| s.timeout.as_ref().is_some_and(|t| t.cancel_job)) {
                    let job = journey.world.text("last_job_id").to_owned();
                    let mut shared = self.port.lock();
                    if shared.jobs.iter().any(|j| j.id == job && !j.status.is_over()) {
                        shared.stops.push(job.as_str().into());
                        step.stops.push(job.into());
                        shared.stops.clear();
                    }
                }
                let running: Running = Box::pin(async move { task.time_out(&journey, &timer.target).await });
                self.start(running, turn);
            }
        }
        true
    }

    fn commit(&mut self, mut done: Done, step: &mut Step) {
        let (from, turn) = self.began.clone();
        for event in &mut done.events {
            // What is said beside the story takes a turn number of its own.
            event.turn = event.turn.max(turn);
            if !done.stamps || !event.state_path.is_empty() {
                continue;
            }
            event.state_path = if event.kind == kind::ENTERED || event.kind == kind::EXITED {
                event.text("state").into()
            } else if from.is_empty() {
                self.initial.clone()
            } else {
                from.clone()
            };
        }
        let is_timeout = done.events.iter().any(|e| e.kind == kind::TIMEOUT);
        self.append(done.events.clone());
        if self.config.hashes
            && let Some(end) = self
                .log
                .iter_mut()
                .rev()
                .find(|e| e.kind == kind::TURN_END && e.turn == turn)
        {
            let mut vars = self.journey.world.vars.clone();
            vars.insert("\u{0}state", Value::Str(self.journey.state.clone()));
            let hash = crate::machine::hash(&vars);
            end.payload.insert("state_hash", Value::text(&hash));
            if let Some(last) = done.events.last_mut().filter(|e| e.kind == kind::TURN_END) {
                last.payload.insert("state_hash", Value::text(hash));
            }
        }
        step.events.extend(done.events.into_iter().filter(|e| !e.is_live()));
        if done.rearms {
            self.rearm(&from);
        } else if is_timeout {
            self.rearm("");
        }
        let machine = Machine::new(&self.program);
        if machine.is_terminal(&done.outcome.state) && done.rearms {
            self.timer = None;
        }
        done.outcome.turn = turn;
        step.outcomes.push(done.outcome);
    }

    fn append(&mut self, events: Vec<Event>) {
        for event in events {
            self.journey.apply(&self.program, &event);
            self.log.push(event);
        }
    }

    /// Arms the timeout of the state that the session rests in; that of another state is gone.
    fn rearm(&mut self, from: &str) {
        let state = self.journey.state.clone();
        if from != state {
            self.timer = None;
        }
        let Some(room) = self.program.resting(&state) else {
            return;
        };
        let Some(timeout) = &room.timeout else { return };
        if let Some(after) = timeout.after_ms {
            self.timer = Some(Timer {
                state,
                target: timeout.target.clone(),
                due_ms: self.clock_ms.saturating_add(after),
            });
        }
    }
}

/// The infra error of a job that was stopped.
pub const CANCELLED: &str = "cancelled";

/// The log of a session and its story do not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("turn {turn}: the state that the log leads to is not the one that was written down")]
pub struct Divergence {
    /// The first turn that differs.
    pub turn: u64,
}

fn broken(message: String, state: SmolStr) -> Done {
    Done::nothing(Outcome::failed(state, 0, message))
}

/// A map of named values for [`Session::seed`], in the order of names.
#[must_use]
pub fn sorted(map: &Map) -> Vec<(SmolStr, Value)> {
    map.sorted().into_iter().map(|(k, v)| (k.clone(), v.clone())).collect()
}

/// Equality of values as fixtures see it, for drivers.
#[must_use]
pub fn same(a: &Value, b: &Value) -> bool {
    value::same(a, b)
}
