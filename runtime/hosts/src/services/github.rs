//! GitHub, seen through one kind of request: whoever runs a session decides who answers.

use serde_json::Value as Json;

use crate::cancel::Cancel;

/// A request to the REST interface.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// `GET`, `POST`, `PATCH`.
    pub method: &'static str,
    /// The path after the host, with its query: `repos/o/r/issues/1`.
    pub path: String,
    /// The body.
    pub body: Option<Json>,
}

/// An answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Response {
    /// The status.
    pub status: u16,
    /// The body; null when it was no JSON.
    pub body: Json,
}

/// Whoever answers requests. The token is its own business: it is in no argument, answer or message.
pub trait GitHub: Send + Sync {
    /// Sends a request.
    ///
    /// # Errors
    ///
    /// Why there is no answer: no token, no connection.
    fn send(&self, request: &Request, cancel: &Cancel) -> Result<Response, String>;
}
