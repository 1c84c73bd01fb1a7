//! What a session lends to handlers: stores and connections. Each is absent unless the program that runs the story hands it
//! in; a handler that needs an absent one says so and the story goes on.

pub mod chats;
pub mod github;
pub mod memory;

use std::sync::Arc;

use serde_json::Value as Json;

use crate::cancel::Cancel;

/// The connections and stores of a session.
#[derive(Clone, Default)]
pub struct Services {
    /// Notifications for the operator.
    pub inbox: Option<Arc<dyn Inbox>>,
    /// Jobs that wait for an answer.
    pub clarifications: Option<Arc<dyn Clarifications>>,
    /// Ways to post messages elsewhere.
    pub transports: Option<Arc<dyn Transports>>,
    /// Conversations.
    pub chats: Option<Arc<dyn chats::Chats>>,
    /// The agents of the story and who runs them.
    pub agents: Option<Arc<crate::agents::Agents>>,
    /// The network for scripts that were granted it.
    pub network: Option<Arc<dyn Network>>,
    /// Who runs scripts instead of the interpreter alone: cassettes of fixtures.
    pub scripts: Option<Arc<dyn Scripts>>,
    /// GitHub.
    pub github: Option<Arc<dyn github::GitHub>>,
    /// Who is told of media that was taken in.
    pub artifacts: Option<Arc<dyn ArtifactLog>>,
    /// The editor that the operator has connected.
    pub editor: Option<Arc<dyn Editor>>,
    /// Who is told of a decision that was made in an editor.
    pub gates: Option<Arc<dyn Gates>>,
}

/// A message for the operator.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Notification {
    /// The headline.
    pub title: String,
    /// The text.
    pub body: String,
    /// The story's own word: `checkpoint`, `ack`, `info`, `action_required`, …
    pub kind: String,
    /// Where it came from.
    pub thread: String,
    /// The room it leads to.
    pub state: String,
}

impl Notification {
    /// How urgent the inbox shows it.
    pub fn severity(&self) -> &'static str {
        match self.kind.as_str() {
            "checkpoint" | "action_required" => "action_required",
            "ack" => "success",
            _ => "info",
        }
    }
}

/// Keeps notifications.
pub trait Inbox: Send + Sync {
    /// Adds one; gives back its id.
    ///
    /// # Errors
    ///
    /// Why it cannot be kept.
    fn add(&self, notification: Notification) -> Result<String, String>;
}

/// Hands answers to waiting jobs.
pub trait Clarifications: Send + Sync {
    /// Stores the answer of a job that waits for one and lets it go on.
    ///
    /// # Errors
    ///
    /// The job is unknown or does not wait.
    fn answer(&self, job: &str, answer: &Json) -> Result<(), String>;
}

/// A message to the outside.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Post {
    /// The thread, in the transport's own words.
    pub thread: String,
    /// The phase of the story.
    pub phase_id: String,
    /// The headline.
    pub title: String,
    /// The text.
    pub body: String,
    /// What marks the message as a machine's.
    pub bot_marker: String,
    /// All other arguments, as texts.
    pub extra: Vec<(String, String)>,
}

/// Posts messages.
pub trait Transports: Send + Sync {
    /// Posts through the transport of a name; gives back the message's id.
    ///
    /// # Errors
    ///
    /// There is no such transport, or it failed.
    fn post(&self, transport: &str, post: &Post, cancel: &Cancel) -> Result<String, String>;
}

/// Media below the folder of artifacts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Artifact {
    /// The id of its handle.
    pub id: String,
    /// `video`, `image`, …
    pub kind: String,
    /// The media type.
    pub mime: String,
    /// What people call it.
    pub label: String,
    /// The whole path.
    pub path: String,
    /// The size in bytes.
    pub size: u64,
}

/// Records media.
pub trait ArtifactLog: Send + Sync {
    /// Records one.
    fn emitted(&self, artifact: &Artifact);
}

/// An editor with tools.
pub trait Editor: Send + Sync {
    /// Whether it is still connected.
    fn connected(&self) -> bool;

    /// Calls a tool; gives back its texts.
    ///
    /// # Errors
    ///
    /// [`EditorFault`].
    fn call(&self, tool: &str, args: &Json, cancel: &Cancel) -> Result<String, EditorFault>;
}

/// Why an editor gave no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EditorFault {
    /// It went away.
    Gone,
    /// The tool says no.
    Refused(String),
    /// The connection failed.
    Broken(String),
}

/// Records decisions of people.
pub trait Gates: Send + Sync {
    /// A diff was accepted or rejected.
    fn diff_decided(&self, surface: &str, verdict: &str, diff: &Json);
}

/// Requests of scripts over the network. An implementation does not follow a redirect to another host, bounds the size of an
/// answer and the time it waits for one.
pub trait Network: Send + Sync {
    /// Sends a request.
    ///
    /// # Errors
    ///
    /// Why nothing came back, in words.
    fn send(
        &self,
        request: &kitsoki_starlark::http::Request,
        cancel: &Cancel,
    ) -> Result<kitsoki_starlark::http::Response, String>;
}

/// Runs scripts with whatever it puts behind `ctx`. `hosts` is the way to other handlers.
pub trait Scripts: Send + Sync {
    /// Runs one.
    fn run(
        &self,
        call: kitsoki_starlark::Call,
        hosts: &mut dyn kitsoki_starlark::call::HostCaller,
    ) -> kitsoki_starlark::Outcome;
}
