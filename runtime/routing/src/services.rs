//! What routing may use beside the text: a cache, answers of models, vectors, the time.
//!
//! Routing itself asks nobody. When a tier needs an answer that is not there yet, [`crate::route`] returns the
//! [`Question`]; whoever can ask does so, puts the [`Answer`] in here, and routes again. That is cheap, and gives the same
//! way through the tiers.

use kitsoki_expr::Map;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use crate::cache::Lookup;

/// What routing may use. The default is nothing: the tiers that need no help.
#[derive(Default)]
pub struct Services<'a> {
    /// The switch of the process, which wins over the story's own (`dispatch` 5.1).
    pub switch: Option<bool>,
    /// The time in nanoseconds since 1970 in UTC: dates in words count from it.
    pub now: i128,
    /// The turn cache.
    pub cache: Option<&'a dyn Lookup>,
    /// There are agents that can be asked, and this is what they said.
    pub agents: Option<Agents>,
    /// There are vectors.
    pub embedding: Option<Embedding>,
}

/// An answer from outside.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum Answer<T> {
    /// Nobody asked yet.
    #[default]
    Unasked,
    /// It could not be had.
    Failed,
    /// What was said.
    Given(T),
}

/// What agents said about the text.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Agents {
    /// The contextual router of the room.
    pub context: Answer<ContextAnswer>,
    /// The local model that classifies.
    pub extract: Answer<ExtractAnswer>,
}

/// What the contextual router said.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ContextAnswer {
    /// `intent`, `help`, `room_request` or `meta_edit`.
    pub class: SmolStr,
    /// With the class `intent`: which.
    pub intent: SmolStr,
    /// Its slots.
    pub slots: Map,
    /// How sure it is; clamped to 0 to 1.
    pub confidence: f64,
}

/// What the local model said.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ExtractAnswer {
    /// The intent, or `none`.
    pub intent: SmolStr,
    /// How sure it is; clamped to 0 to 1.
    pub confidence: f64,
}

/// The tier of embeddings.
#[derive(Clone, PartialEq, Debug)]
pub struct Embedding {
    /// A match must be as near as this.
    pub bar: f64,
    /// And nearer than the next by this.
    pub margin: f64,
    /// Vectors of length 1: of intents by name, and of the text.
    pub vectors: Answer<Vectors>,
}

/// Vectors of length 1.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Vectors {
    /// Of every allowed intent.
    pub intents: FxHashMap<SmolStr, Vec<f32>>,
    /// Of the text.
    pub text: Vec<f32>,
}

/// What must be asked before the text can be routed.
#[derive(Clone, PartialEq, Debug)]
pub enum Question {
    /// Vectors of these intents and of the text ([`Embedding::vectors`]).
    Vectors {
        /// The allowed intents.
        intents: Vec<SmolStr>,
    },
    /// The class of the text ([`Agents::context`]).
    Context {
        /// The agent.
        agent: SmolStr,
        /// The allowed intents.
        intents: Vec<SmolStr>,
    },
    /// The intent of the text, or `none` ([`Agents::extract`]).
    Intent {
        /// The agent.
        agent: SmolStr,
        /// The allowed intents.
        intents: Vec<SmolStr>,
    },
}
