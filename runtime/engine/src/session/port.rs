//! Between a running turn and whoever drives the session: requests go out, answers come in.
//!
//! A turn is a future that only ever waits here. Nothing wakes it: the session polls it when an answer has arrived.

use std::future::poll_fn;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Poll;

use kitsoki_expr::{Map, Value};
use kitsoki_ir::{EffectClass, Invoke};
use smol_str::SmolStr;

use crate::event::Event;
use crate::gate::Scope;

/// Something that the driver has to do.
#[derive(Clone, Debug)]
pub struct Request {
    /// Its number; the answer names it.
    pub id: u64,
    /// What.
    pub what: Ask,
}

/// What a driver is asked.
#[derive(Clone, Debug)]
pub enum Ask {
    /// Call a host verb and answer with what it says. The turn waits.
    Call(HostRequest),
    /// Start a job; its end is told with [`super::Session::job_ended`]. The turn does not wait, and no answer is due.
    Job {
        /// The job's id.
        job: SmolStr,
        /// The call.
        call: HostRequest,
    },
    /// Ask the operator for a change. The turn waits.
    Grant {
        /// The room that declares the call.
        state: SmolStr,
        /// The verb.
        verb: SmolStr,
        /// Its arguments.
        args: Map,
        /// How far it reaches.
        effect: EffectClass,
    },
    /// Let a model say what a text means. The turn waits.
    Interpret(Box<Interpretation>),
}

/// A text that no word of the story fits, for a model to make an intent of.
#[derive(Clone, Debug, PartialEq)]
pub struct Interpretation {
    /// What does not change from text to text: the story and its intents.
    pub instructions: String,
    /// Where the session stands, and the text.
    pub prompt: String,
    /// The JSON schema of the value that is wanted.
    pub schema: Map,
    /// The room.
    pub room: SmolStr,
}

/// What a model made of a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Interpreted {
    /// Its answer.
    pub said: Said,
    /// What it cost, in US dollars.
    pub cost_usd: f64,
}

/// The answer of an interpreter.
#[derive(Clone, Debug, PartialEq)]
pub enum Said {
    /// A value as it was wanted: the intent and its slots. The session looks at it once more.
    Value(Map),
    /// Words in place of a value: it cannot say what is meant.
    Words(String),
    /// It could not be asked, or failed.
    Failed(String),
}

/// A call of a host verb.
#[derive(Clone, Debug)]
pub struct HostRequest {
    /// The verb, by its full name.
    pub verb: SmolStr,
    /// Its arguments.
    pub args: Map,
    /// The world as it is now: scripts see it.
    pub world: Map,
    /// The turn.
    pub turn: u64,
    /// Where the session is.
    pub state: SmolStr,
    /// The room that declares the call.
    pub declared_in: SmolStr,
    /// The alias of an agent transport, when the effect names one.
    pub plugin: Option<SmolStr>,
    /// Whether the call may change things: `false` only in a read-only room without a grant.
    pub may_write: bool,
    /// How far anything that the call sets off may reach: a script must not call in turn what goes beyond it.
    pub reach: EffectClass,
}

/// The answer to a request.
#[derive(Clone, Debug)]
pub enum Answer {
    /// To [`Ask::Call`].
    Host(HostAnswer),
    /// To [`Ask::Grant`]; `None` is a refusal.
    Grant(Option<Scope>),
    /// To [`Ask::Interpret`].
    Interpreted(Interpreted),
}

/// What a host call brought.
#[derive(Clone, Debug, Default)]
pub struct HostAnswer {
    /// How it went.
    pub result: HostResult,
    /// What the agents of the call cost, in US dollars.
    pub cost_usd: f64,
    /// Events of the call (agents), in order.
    pub notes: Vec<Event>,
}

/// How a host call went.
#[derive(Clone, Debug, PartialEq)]
pub enum HostResult {
    /// It did what it was asked.
    Done(Option<Map>),
    /// It failed in a way that the story can know about; data may still be there.
    Domain {
        /// Why.
        message: String,
        /// What it brought all the same.
        data: Option<Map>,
    },
    /// It could not be made at all.
    Infra(String),
}

impl Default for HostResult {
    fn default() -> Self {
        HostResult::Done(None)
    }
}

/// A background call and where it stands.
#[derive(Clone, Debug)]
pub struct Job {
    /// Its id.
    pub id: SmolStr,
    /// The verb.
    pub verb: SmolStr,
    /// Its arguments.
    pub args: Map,
    /// Where the session was when it was started; its end counts only there.
    pub origin: SmolStr,
    /// The room that declares the call: what its end does is judged by it.
    pub declared_in: SmolStr,
    /// The call as the story has it.
    pub invoke: Arc<Invoke>,
    /// Where it stands.
    pub status: JobStatus,
    /// The question that it waits with.
    pub question: Option<Question>,
    /// What went wrong.
    pub error: String,
}

/// What a job asks the operator.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// The text.
    pub prompt: String,
    /// Fields and their types.
    pub fields: Map,
}

/// Where a job stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum JobStatus {
    /// At work.
    Running,
    /// Waiting for the operator.
    AwaitingInput,
    /// Ended well.
    Done,
    /// Ended badly.
    Failed,
    /// Stopped.
    Cancelled,
}

impl JobStatus {
    /// The word of events and fixtures.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            JobStatus::Running => "running",
            JobStatus::AwaitingInput => "awaiting_input",
            JobStatus::Done => "done",
            JobStatus::Failed => "failed",
            JobStatus::Cancelled => "cancelled",
        }
    }

    /// Whether it is over.
    #[must_use]
    pub fn is_over(self) -> bool {
        matches!(self, JobStatus::Done | JobStatus::Failed | JobStatus::Cancelled)
    }
}

/// An entry of the session's inbox.
#[derive(Clone, Debug, PartialEq)]
pub struct Notification {
    /// `info`, `success`, `warn`, `error` or `action_required`.
    pub severity: SmolStr,
    /// Shown.
    pub title: String,
    /// Shown below.
    pub body: String,
    /// Whether somebody has seen it.
    pub read: bool,
}

/// What a running turn shares with its session.
#[derive(Debug, Default)]
pub(crate) struct Shared {
    pub next_request: u64,
    pub outbox: Vec<Request>,
    pub awaited: Option<u64>,
    pub answer: Option<Answer>,
    pub live: Vec<Event>,
    pub jobs: Vec<Job>,
    /// How many jobs were ever numbered, those of a log that was replayed and of turns that were stopped among them.
    pub numbered: usize,
    pub inbox: Vec<Notification>,
    /// Jobs that are to be stopped.
    pub stops: Vec<SmolStr>,
}

/// A handle on what is shared.
#[derive(Clone, Debug, Default)]
pub(crate) struct Port(Arc<Mutex<Shared>>);

impl Port {
    pub fn lock(&self) -> MutexGuard<'_, Shared> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends a request that nobody waits for.
    pub fn send(&self, what: Ask) -> u64 {
        let mut shared = self.lock();
        shared.next_request += 1;
        let id = shared.next_request;
        shared.outbox.push(Request { id, what });
        id
    }

    /// Sends a request and waits for the answer.
    pub async fn ask(&self, what: Ask) -> Answer {
        let id = self.send(what);
        self.lock().awaited = Some(id);
        poll_fn(|_| {
            let mut shared = self.lock();
            match shared.answer.take() {
                Some(answer) => {
                    shared.awaited = None;
                    Poll::Ready(answer)
                }
                None => Poll::Pending,
            }
        })
        .await
    }

    /// Writes an event down while the turn runs.
    pub fn live(&self, event: &Event) {
        self.lock().live.push(event.clone());
    }

    /// A notification for the inbox.
    pub fn notify(&self, severity: &str, title: String, body: String) {
        self.lock().inbox.push(Notification {
            severity: severity.into(),
            title,
            body,
            read: false,
        });
    }

    /// The inbox in two numbers, as the world sees it.
    pub fn inbox_summary(&self) -> Value {
        let shared = self.lock();
        let unread = shared.inbox.iter().filter(|n| !n.read);
        let count = |n: usize| Value::Int(i64::try_from(n).unwrap_or(i64::MAX));
        let urgent = unread.clone().filter(|n| n.severity == "action_required").count();
        Value::Map(crate::value::map([
            ("needs_attention", count(urgent)),
            ("unread", count(unread.count())),
        ]))
    }
}
