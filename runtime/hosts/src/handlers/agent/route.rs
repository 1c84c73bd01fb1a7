//! The interpreter of free text: an agent of the engine, not of the story. It has the tool `submit` and nothing else,
//! wherever it is asked (`hosts` 15.1, `route`).
//!
//! It is no handler: stories cannot call it. Whoever drives a session hands the session's question in here.

use std::sync::{Mutex, PoisonError};

use serde_json::Value as Json;

use super::{RunFailed, run, said};
use crate::agents::acceptance::Acceptance;
use crate::agents::prepare::{Agent, Parts, request};
use crate::agents::prompt::Prompt;
use crate::agents::{self, CallDesk, Layer, RunFault, Session, Verb};
use crate::arguments::Arguments;
use crate::call::{Call, Data};
use crate::context::Context;
use crate::registry::Registry;

/// What stands for the handler in messages.
const NAME: &str = "interpreter";

/// A text to interpret, as the session asks it.
#[derive(Debug, Clone, Copy)]
pub struct Unclear<'a> {
    /// What does not change from text to text.
    pub instructions: &'a str,
    /// Where the session stands, and the text.
    pub prompt: &'a str,
    /// The schema of the wanted value.
    pub schema: &'a Json,
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Meant {
    /// The value, when one was taken.
    pub value: Option<Json>,
    /// What was said.
    pub text: String,
    /// What it cost, in US dollars.
    pub cost: f64,
}

/// The interpreter of one session: it goes on in its conversation after a text that it understood.
#[derive(Debug, Default)]
pub struct Interpreter {
    session: Mutex<Option<String>>,
}

impl Interpreter {
    /// Has a text interpreted.
    ///
    /// # Errors
    ///
    /// There is no back end, or it failed; in words.
    pub fn ask(&self, registry: &Registry, context: &Context, unclear: Unclear<'_>) -> Result<Meant, String> {
        let args = Data::new();
        let call = Call {
            handler: NAME,
            args: &args,
            context,
            registry,
            depth: 0,
        };
        let parts = Parts {
            verb: Verb::Route,
            agent: Agent::default(),
            prompt: Prompt {
                text: unclear.prompt.to_owned(),
                file: None,
            },
            schema: Some(unclear.schema.clone()),
            cautious: true,
        };
        let mut wanted = request(&call, &Arguments::of(&call), parts).map_err(|f| f.message)?;
        wanted.tools.own.clear();
        wanted
            .tools
            .offered
            .retain(|t| matches!(t, agents::Offered::Submit { .. }));
        wanted.system.push(Layer {
            layer: "room",
            text: unclear.instructions.to_owned(),
        });
        let known = self.session.lock().unwrap_or_else(PoisonError::into_inner).clone();
        wanted.session = Session {
            resume: known.is_some(),
            id: known.unwrap_or_else(agents::session_name),
        };
        let acceptance = Acceptance {
            schema: Some(unclear.schema.clone()),
            ..Acceptance::default()
        };
        let desk = CallDesk::new(&call, &wanted, acceptance, None);
        let end = match run(&call, &wanted, &desk) {
            Ok(end) => end,
            Err(RunFailed::NoBackend) => return Err(agents::no_backend(NAME).message),
            Err(RunFailed::Fault(RunFault::Cancelled)) => return Err(format!("{NAME}: cancelled")),
            Err(RunFailed::Fault(fault)) => return Err(format!("{NAME}: {fault}")),
        };
        let out = Meant {
            value: desk.value(),
            text: said(&end, &desk),
            cost: end.cost.unwrap_or_default(),
        };
        if out.value.is_some() {
            let own = end.session.unwrap_or(wanted.session.id);
            *self.session.lock().unwrap_or_else(PoisonError::into_inner) = Some(own);
        }
        Ok(out)
    }
}
