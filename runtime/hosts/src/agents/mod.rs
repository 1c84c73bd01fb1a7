//! The seam to whatever runs a model (`hosts` 15): what one run is asked, what it may do, and what it answers.
//!
//! A back end knows nothing of stories. It is handed a [`Request`], talks to a [`Desk`] while it runs, and ends. Everything
//! that must hold whatever the back end does is on this side: which tools exist, what a submitted value must look like, how
//! often one may try.

pub mod acceptance;
mod backend;
pub mod desk;
pub mod gate;
pub mod prepare;
pub mod program;
pub mod prompt;
pub mod schema;
pub mod shell;
pub mod toolbox;

pub use backend::{
    AgentBackend, Desk, End, Layer, Offered, Posture, Request, RunFault, Session, ToolResult, Tools, Usage, Verb,
};
pub use desk::{CallDesk, Listener};
pub use prepare::{Agent, Agents};
pub use program::LineProgram;

use serde_json::Value as Json;

use crate::call::{Call, Failure, Kind};

/// A question to an agent that no story declares: the prompt, and the form of the answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// The whole prompt.
    pub prompt: String,
    /// The JSON schema of the answer.
    pub schema: Json,
    /// The model; empty for the back end's own choice.
    pub model: String,
}

/// Asks for one value.
///
/// # Errors
///
/// There is no back end, it failed, or it gave no value.
pub fn structured(call: &Call<'_>, asked: Asked) -> Result<Json, Box<Failure>> {
    let agents = &call.context.services.agents;
    let Some(backend) = agents.as_ref().and_then(|a| a.backend.as_ref()) else {
        return Err(no_backend(call.handler));
    };
    let acceptance = acceptance::Acceptance {
        schema: Some(asked.schema.clone()),
        ..acceptance::Acceptance::default()
    };
    let request = Request {
        verb: Verb::Structured,
        model: asked.model,
        prompt: asked.prompt,
        tools: Tools {
            offered: vec![Offered::Submit { schema: asked.schema }],
            ..Tools::default()
        },
        cwd: call.context.current.clone(),
        ..Request::default()
    };
    let desk = CallDesk::new(call, &request, acceptance, None);
    let end = backend.run(&request, &desk, &call.context.cancel);
    let failed = |kind, why: String| Failure::domain(kind, format!("{}: {why}", call.handler));
    match (end, desk.value()) {
        (Ok(_), Some(value)) => Ok(value),
        (Ok(_), None) => Err(failed(Kind::Capability, "the agent gave no value".to_owned())),
        (Err(RunFault::Cancelled), _) => Err(Failure::infra(Kind::Cancelled, format!("{}: cancelled", call.handler))),
        (Err(fault), _) => Err(failed(Kind::Outside, fault.to_string())),
    }
}

/// A name for a new session of a back end: random, in the form that programs expect.
pub fn session_name() -> String {
    use std::hash::{BuildHasher as _, Hasher as _};
    // The keys of the hasher come from the system's random numbers and differ for every state.
    let random = || std::hash::RandomState::new().build_hasher().finish();
    let (a, b) = (random(), random());
    format!(
        "{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}",
        a >> 32,
        a >> 16 & 0xffff,
        a & 0xfff,
        b >> 48 & 0x3fff | 0x8000,
        b & 0xffff_ffff_ffff
    )
}

/// The failure of every verb without a back end.
pub fn no_backend(handler: &str) -> Box<Failure> {
    let text = format!("{handler}: no agent program is configured in this session; stub the call or name a program");
    Failure::domain(Kind::NotConfigured, text)
}
