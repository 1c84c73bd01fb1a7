//! What a handler is asked and what it answers (`hosts` 1).

use std::fmt;

use serde_json::{Map, Value as Json};

use crate::context::Context;
use crate::registry::Registry;

/// Arguments of a call and data of an answer. A number without point or exponent is an integer.
pub type Data = Map<String, Json>;

/// One call of a handler.
#[derive(Clone, Copy)]
pub struct Call<'a> {
    /// The name under which the handler is registered.
    pub handler: &'a str,
    /// The arguments, rendered. A suffix of the invoked name is in `op`.
    pub args: &'a Data,
    /// Everything else that the handler may reach.
    pub context: &'a Context,
    /// The registry, for handlers that call others.
    pub registry: &'a Registry,
    /// How many handlers called one another on the way here.
    pub depth: usize,
}

/// Data, or a failure that may have data beside it.
pub type Answer = Result<Data, Box<Failure>>;

/// The two classes of failure that dispatch tells apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// The story sees it: data is kept and bound.
    Domain,
    /// Something below the handler broke: no data, no binds.
    Infra,
}

impl Class {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Domain => "domain",
            Self::Infra => "infra",
        }
    }
}

/// Why a call failed, for whoever decides what to do next. Dispatch looks at the class only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// No handler has that name.
    NotRegistered,
    /// The handler exists in name only in this version.
    NotImplemented,
    /// The arguments are wrong; asking again with the same ones is useless.
    Arguments,
    /// The session lacks what the handler needs: a store, an editor, a program.
    NotConfigured,
    /// The outside world refused or failed.
    Outside,
    /// A time or size limit was reached.
    Limit,
    /// The call was cancelled.
    Cancelled,
    /// The one that was asked tried and did not manage.
    Capability,
}

/// A failed call.
#[derive(Debug, Clone, PartialEq)]
pub struct Failure {
    /// How dispatch treats it.
    pub class: Class,
    /// Why.
    pub kind: Kind,
    /// What the story and its reader see.
    pub message: String,
    /// Data that is there nevertheless. Absent on infrastructure failures.
    pub data: Option<Data>,
}

impl Failure {
    /// A domain failure.
    pub fn domain(kind: Kind, message: impl Into<String>) -> Box<Self> {
        Box::new(Self {
            class: Class::Domain,
            kind,
            message: message.into(),
            data: None,
        })
    }

    /// An infrastructure failure.
    pub fn infra(kind: Kind, message: impl Into<String>) -> Box<Self> {
        Box::new(Self {
            class: Class::Infra,
            ..*Self::domain(kind, message)
        })
    }

    /// A domain failure for arguments that are absent or wrong.
    pub fn arguments(message: impl Into<String>) -> Box<Self> {
        Self::domain(Kind::Arguments, message)
    }

    /// A domain failure of the outside world.
    pub fn outside(message: impl Into<String>) -> Box<Self> {
        Self::domain(Kind::Outside, message)
    }

    /// The failure with data beside it.
    #[must_use]
    pub fn with(mut self: Box<Self>, data: Data) -> Box<Self> {
        self.data = Some(data);
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}

/// Whoever answers calls. A handler blocks until it is done and looks at the context's cancellation where it waits.
pub trait Handler: Send + Sync {
    /// Answers a call.
    ///
    /// # Errors
    ///
    /// The failure that dispatch acts upon.
    fn call(&self, call: &Call<'_>) -> Answer;
}

impl<F> Handler for F
where
    F: Fn(&Call<'_>) -> Answer + Send + Sync,
{
    fn call(&self, call: &Call<'_>) -> Answer {
        self(call)
    }
}

/// A JSON object as data; anything else is no data. For `json!({…})`.
pub fn data(json: Json) -> Data {
    match json {
        Json::Object(map) => map,
        _ => Data::new(),
    }
}
