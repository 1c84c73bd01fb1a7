//! Conversations that outlive a session: their titles, their messages, and what waits to be asked in them.

use std::time::SystemTime;

use serde_json::Value as Json;

/// A conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chat {
    /// Its id: 26 letters and digits.
    pub id: String,
    /// The story it belongs to.
    pub app: String,
    /// The room it belongs to.
    pub room: String,
    /// What else it is bound to: a ticket, a branch; empty for none.
    pub scope: String,
    /// What people call it.
    pub title: String,
    /// `active` or `archived`.
    pub status: String,
    /// The conversation it was forked from; empty for none.
    pub parent: String,
    /// When something last happened in it.
    pub last_active: SystemTime,
}

/// A message of a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// Its number in the conversation, from 0.
    pub seq: i64,
    /// `user`, `assistant`, `system`, `tool`.
    pub role: String,
    /// The text.
    pub content: String,
    /// When it was added.
    pub created_at: SystemTime,
}

/// A text that waits to be asked in a conversation.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Drive {
    /// The conversation.
    pub chat: String,
    /// The text.
    pub payload: String,
    /// Where it came from.
    pub transport: String,
    /// The thread it came from.
    pub thread: String,
    /// Who sent it.
    pub actor: String,
    /// What the sender recognises the answer by.
    pub correlation_id: String,
    /// The folder in which an agent works on it.
    pub working_dir: String,
    /// What happens afterwards: effects, as the engine handed them over.
    pub on_complete: Option<Json>,
    /// The session that asked.
    pub origin_session: String,
    /// The room that asked.
    pub origin_state: String,
}

/// A text that was put in the queue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Queued {
    /// Its id.
    pub id: String,
    /// When it was put there.
    pub at: SystemTime,
}

/// What came of a text that was waited for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Driven {
    /// The number of the answer in the conversation.
    pub seq: i64,
    /// The answer.
    pub answer: String,
}

/// Why nothing came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DriveFault {
    /// Somebody else is talking there.
    Busy(String),
    /// It was tried and failed.
    Failed(String),
}

/// Keeps conversations. Implementations are shared between threads and lock themselves.
pub trait Chats: Send + Sync {
    /// A conversation by its id.
    ///
    /// # Errors
    ///
    /// There is none.
    fn get(&self, id: &str) -> Result<Chat, String>;

    /// The conversations of a room and scope, the most recently active first, archived ones included.
    ///
    /// # Errors
    ///
    /// The store fails.
    fn list(&self, app: &str, room: &str, scope: &str) -> Result<Vec<Chat>, String>;

    /// A new conversation.
    ///
    /// # Errors
    ///
    /// The store fails.
    fn create(&self, app: &str, room: &str, scope: &str, title: &str) -> Result<Chat, String>;

    /// A conversation with the messages of another.
    ///
    /// # Errors
    ///
    /// There is no other.
    fn fork(&self, id: &str, title: &str) -> Result<Chat, String>;

    /// Puts a conversation away.
    ///
    /// # Errors
    ///
    /// There is none.
    fn archive(&self, id: &str) -> Result<(), String>;

    /// Gives a conversation another title.
    ///
    /// # Errors
    ///
    /// There is none.
    fn rename(&self, id: &str, title: &str) -> Result<(), String>;

    /// The messages whose number is at least `since`.
    ///
    /// # Errors
    ///
    /// There is no such conversation.
    fn messages(&self, id: &str, since: i64) -> Result<Vec<Message>, String>;

    /// Adds a message.
    ///
    /// # Errors
    ///
    /// There is no such conversation.
    fn append(&self, id: &str, role: &str, content: &str) -> Result<Message, String>;

    /// The session of the back end in which a conversation is held, once there is one.
    fn session(&self, id: &str) -> Option<String>;

    /// Keeps the session of a conversation.
    fn set_session(&self, id: &str, session: &str);

    /// Puts a text in the queue of a conversation.
    ///
    /// # Errors
    ///
    /// There is no such conversation.
    fn enqueue(&self, drive: Drive) -> Result<Queued, String>;

    /// Asks a queued text now and waits for the answer.
    ///
    /// # Errors
    ///
    /// [`DriveFault`].
    fn dispatch(&self, queued: &Queued, limit: std::time::Duration) -> Result<Driven, DriveFault>;
}
