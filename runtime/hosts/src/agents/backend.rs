//! What passes between kitsoki and a back end.

use std::path::PathBuf;

use serde_json::Value as Json;

use crate::cancel::Cancel;
use crate::effects::Effect;
use crate::environment::Environment;

/// What a run is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Verb {
    /// A question.
    #[default]
    Ask,
    /// A judgement in a given form.
    Decide,
    /// A piece of work with a value at its end.
    Task,
    /// A value out of a text.
    Extract,
    /// A turn of a conversation.
    Converse,
    /// Work through small scripts.
    Codeact,
    /// Free text into an intent.
    Route,
    /// A small question of the engine itself.
    Structured,
}

impl Verb {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ask => "ask",
            Self::Decide => "decide",
            Self::Task => "task",
            Self::Extract => "extract",
            Self::Converse => "converse",
            Self::Codeact => "codeact",
            Self::Route => "route",
            Self::Structured => "structured",
        }
    }

    /// The highest effect class that the verb allows whatever the agent declares.
    pub fn ceiling(self) -> Effect {
        match self {
            Self::Ask | Self::Decide | Self::Extract | Self::Route | Self::Structured => Effect::Read,
            Self::Task | Self::Converse | Self::Codeact => Effect::External,
        }
    }
}

/// A layer of the instructions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layer {
    /// `base`, `project`, `verb`, `persona`, `tools`, `room`.
    pub layer: &'static str,
    /// The text.
    pub text: String,
}

/// Which conversation a run belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Session {
    /// Its id; empty when nothing will ever be resumed.
    pub id: String,
    /// Whether it goes on.
    pub resume: bool,
}

/// How tools are decided about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Posture {
    /// Only what is allowed exists.
    #[default]
    Enforced,
    /// Everything of the back end's own but what is denied.
    Open,
}

/// A tool that kitsoki performs.
#[derive(Debug, Clone, PartialEq)]
pub enum Offered {
    /// Hands in the wanted value.
    Submit {
        /// Its schema.
        schema: Json,
    },
    /// Runs one command under a profile.
    Shell {
        /// The profile's name.
        profile: String,
    },
    /// Asks the operator.
    AskOperator,
}

/// The tools of a run.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Tools {
    /// Tools of the back end that it may use by itself.
    pub own: Vec<String>,
    /// Tools of the back end that it must not use.
    pub denied: Vec<String>,
    /// Tools that kitsoki performs.
    pub offered: Vec<Offered>,
}

/// One run.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// The call of the story that the run belongs to; several runs can.
    pub call: String,
    /// What it is for.
    pub verb: Verb,
    /// The agent's name; empty for the engine's own questions.
    pub agent: String,
    /// Which engagement of the call this is, from 1.
    pub attempt: u32,
    /// The instructions, in order.
    pub system: Vec<Layer>,
    /// Whether the persona is added to the back end's own instructions instead of replacing them.
    pub inherit: bool,
    /// What it is asked.
    pub prompt: String,
    /// The working folder. It exists.
    pub cwd: PathBuf,
    /// The conversation.
    pub session: Session,
    /// The model; empty for the back end's choice.
    pub model: String,
    /// The effort; empty for the back end's choice.
    pub effort: String,
    /// What the run may change.
    pub effect: Effect,
    /// Whether the room allows changes only after a question to the operator.
    pub read_only: bool,
    /// How tools are decided about.
    pub posture: Posture,
    /// The tools.
    pub tools: Tools,
    /// The variables of a program.
    pub environment: Environment,
}

impl Default for Request {
    fn default() -> Self {
        Self {
            call: String::new(),
            verb: Verb::default(),
            agent: String::new(),
            attempt: 1,
            system: Vec::new(),
            inherit: false,
            prompt: String::new(),
            cwd: PathBuf::new(),
            session: Session::default(),
            model: String::new(),
            effort: String::new(),
            effect: Effect::Read,
            read_only: false,
            posture: Posture::default(),
            tools: Tools::default(),
            environment: Environment::empty(),
        }
    }
}

/// What a tool of kitsoki answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolResult {
    /// Whether it was done.
    pub ok: bool,
    /// The answer, or a reason to learn from.
    pub text: String,
}

/// Kitsoki's side during a run. Every call of an offered tool comes here; there is no second door.
pub trait Desk: Send + Sync {
    /// The agent says something while it works.
    fn say(&self, text: &str);

    /// The agent thinks; never part of a reply.
    fn thinks(&self, _text: &str) {}

    /// The agent has used a tool of its own.
    fn used(&self, tool: &str, input: &Json);

    /// The agent calls a tool that was offered.
    fn call(&self, tool: &str, input: &Json) -> ToolResult;
}

/// What a run used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Usage {
    /// Tokens read.
    pub input: u64,
    /// Tokens written.
    pub output: u64,
    /// Tokens read from a cache.
    pub cache_read: u64,
    /// Tokens written into a cache.
    pub cache_write: u64,
}

/// The end of a run.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct End {
    /// The final text.
    pub text: String,
    /// The conversation, when the back end names it otherwise than the request did.
    pub session: Option<String>,
    /// What it used.
    pub usage: Usage,
    /// What it cost, in US dollars.
    pub cost: Option<f64>,
}

/// A run that did not end well.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunFault {
    /// There is no such program, or it could not be started.
    Missing(String),
    /// The back end failed: a status, a connection, a result marked as an error.
    Failed(String),
    /// It was asked for what it will never do: wrong arguments, no permission.
    Refused(String),
    /// It was silent for too long.
    Silent,
    /// The call was cancelled.
    Cancelled,
}

impl std::fmt::Display for RunFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Missing(why) => write!(f, "the agent program cannot be started: {why}"),
            Self::Failed(why) | Self::Refused(why) => f.write_str(why),
            Self::Silent => f.write_str("the agent was silent for too long"),
            Self::Cancelled => f.write_str("cancelled"),
        }
    }
}

/// A program or a service that runs a model.
pub trait AgentBackend: Send + Sync {
    /// Makes one run.
    ///
    /// # Errors
    ///
    /// [`RunFault`]. A value that was submitted before the fault has been taken.
    fn run(&self, request: &Request, desk: &dyn Desk, cancel: &Cancel) -> Result<End, RunFault>;
}
