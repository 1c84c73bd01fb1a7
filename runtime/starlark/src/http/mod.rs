//! Requests of scripts: who answers them. Without a client nothing goes out; a cassette answers from a file; a transport
//! is the network and is handed in by whoever may reach it.

mod canned;
mod cassette;
mod client;
mod matching;
mod redact;
pub(crate) mod url;

pub(crate) use canned::body as request_body;
pub use cassette::{Cassette, Episode, RecordMode, RequestRecord, Selector};
pub use client::CassetteClient;

use std::collections::BTreeMap;

use crate::fault::Fault;

/// A request as a script makes it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Request {
    /// The method in capital letters.
    pub method: String,
    /// The address as the script wrote it.
    pub url: String,
    /// Headers by name.
    pub headers: BTreeMap<String, String>,
    /// The body; empty when there is none.
    pub body: Vec<u8>,
}

/// An answer.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Response {
    /// The status.
    pub status: i64,
    /// Headers by name, the first value of each.
    pub headers: BTreeMap<String, String>,
    /// The body.
    pub body: Vec<u8>,
}

/// What the log keeps of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exchange {
    /// The method.
    pub method: String,
    /// The address that was asked for.
    pub url: String,
    /// The status of the answer.
    pub status: i64,
}

/// Whoever answers the requests of scripts.
pub trait HttpClient {
    /// Answers a request. The grant has been checked.
    ///
    /// # Errors
    ///
    /// No answer: the text is what the script sees.
    fn send(&mut self, request: &Request) -> Result<Response, Box<Fault>>;

    /// The requests that were answered so far. A client that serves several scripts keeps them all.
    fn exchanges(&self) -> Vec<Exchange>;
}

/// The network. An implementation must not follow a redirect to a host that was not granted, bounds the size of an answer
/// and the time it waits for one.
pub trait Transport {
    /// Sends a request.
    ///
    /// # Errors
    ///
    /// Why nothing came back, in words.
    fn send(&mut self, request: &Request) -> Result<Response, String>;
}

/// The client of a live call: everything goes to the network, the summaries are kept.
pub struct LiveClient<T> {
    transport: T,
    exchanges: Vec<Exchange>,
}

impl<T: Transport> LiveClient<T> {
    /// A client over a transport.
    pub fn new(transport: T) -> Self {
        Self {
            transport,
            exchanges: Vec::new(),
        }
    }
}

impl<T: Transport> HttpClient for LiveClient<T> {
    fn send(&mut self, request: &Request) -> Result<Response, Box<Fault>> {
        let response = client::over(&mut self.transport, request)?;
        self.exchanges.push(client::exchange(request, &response));
        Ok(response)
    }

    fn exchanges(&self) -> Vec<Exchange> {
        self.exchanges.clone()
    }
}
