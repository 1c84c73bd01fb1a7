//! What became of a text, and by which way.

use kitsoki_expr::Map;
use smol_str::SmolStr;

use crate::cache::CacheUse;
use crate::services::Question;
use crate::verdict::{Candidate, Hit};

/// The tier that took a text (`dispatch` 5.15).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tier {
    /// The menu.
    Deterministic,
    /// Phrases, templates, embeddings.
    Semantic,
    /// A local model.
    LocalModel,
    /// The turn cache.
    TurnCache,
    /// The room's sink for free text.
    DefaultIntent,
    /// The story's intake room.
    Fallback,
    /// A weak match, captured by a workbench.
    NearMiss,
    /// The room's contextual router.
    Contextual,
    /// A consent to a pending plan.
    PlanAffirmation,
    /// Anything else said about a pending plan.
    PlanRefinement,
    /// None: a model is asked to interpret the text.
    Interpreter,
}

impl Tier {
    /// The word for it in provenance.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Deterministic => "deterministic",
            Self::Semantic => "semantic",
            Self::LocalModel => "llm",
            Self::TurnCache => "turncache",
            Self::DefaultIntent => "default",
            Self::Fallback => "fallback",
            Self::NearMiss => "near_miss_workbench",
            Self::Contextual => "context_route",
            Self::PlanAffirmation => "pending_plan_affirmation",
            Self::PlanRefinement => "pending_plan_refine",
            Self::Interpreter => "interpreter",
        }
    }
}

/// What becomes of a text.
#[derive(Clone, PartialEq, Debug)]
pub enum Outcome {
    /// The intent is submitted. What the machine then says is the outcome of the turn; no later tier is tried.
    Submit {
        /// The intent.
        intent: SmolStr,
        /// Its slots.
        slots: Map,
    },
    /// The person is asked for slots.
    Clarify {
        /// The intent.
        intent: SmolStr,
        /// The slots that are known.
        slots: Map,
        /// The slots that are asked for, sorted, as often as they are missing.
        missing: Vec<SmolStr>,
    },
    /// The person is asked which intent is meant.
    Ambiguous {
        /// The intents. None when a model was exactly half sure.
        candidates: Vec<Candidate>,
    },
    /// A model is asked to interpret the text.
    Interpreter,
}

/// Why a match was passed on to later tiers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PassedOn {
    /// The intent requires a slot that the match does not fill.
    RequiredSlot,
    /// The text has more in it than the phrase, and the intent has a slot that it may be for.
    Content,
    /// It was not sure enough.
    NearMiss,
}

impl PassedOn {
    /// The word for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::RequiredSlot => "required-slot",
            Self::Content => "content",
            Self::NearMiss => "near-miss",
        }
    }
}

/// A match that was passed on.
#[derive(Clone, PartialEq, Debug)]
pub struct Deferred {
    /// The match.
    pub hit: Hit,
    /// Why.
    pub why: PassedOn,
}

/// What became of a text.
#[derive(Clone, PartialEq, Debug)]
pub struct Decision {
    /// By which tier.
    pub tier: Tier,
    /// What.
    pub outcome: Outcome,
    /// The type of the match, for provenance, when the tier has one.
    pub matched: Option<String>,
    /// How sure the tier is, when it says so.
    pub confidence: Option<f64>,
    /// A match that was passed on before.
    pub deferred: Option<Deferred>,
    /// What was learned about an entry of the turn cache.
    pub cache: Option<CacheUse>,
    /// Every tier that was asked, in order, with what it said.
    pub steps: Vec<Step>,
}

/// A tier that was asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// Which.
    pub asked: Asked,
    /// What it said.
    pub said: Said,
}

/// A part of the way of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asked {
    /// The rows of the menu.
    Menu,
    /// Synonyms, examples and templates.
    Phrases,
    /// Embeddings.
    Embedding,
    /// The plan that waits for a consent.
    PendingPlan,
    /// The contextual router.
    Contextual,
    /// The local model.
    LocalModel,
    /// The capture of weak matches.
    NearMiss,
    /// The turn cache.
    TurnCache,
    /// The room's sink.
    DefaultIntent,
    /// The intake room.
    Fallback,
}

impl Asked {
    /// The word for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Menu => "menu",
            Self::Phrases => "phrases",
            Self::Embedding => "embedding",
            Self::PendingPlan => "pending plan",
            Self::Contextual => "contextual router",
            Self::LocalModel => "local model",
            Self::NearMiss => "near miss",
            Self::TurnCache => "turn cache",
            Self::DefaultIntent => "default intent",
            Self::Fallback => "fallback",
        }
    }
}

impl Said {
    /// The word for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Took => "took",
            Self::Passed(_) => "passed on",
            Self::Miss => "nothing",
            Self::Off => "off",
            Self::Failed => "failed",
        }
    }
}

/// What a tier said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Said {
    /// It took the text.
    Took,
    /// It found something that was passed on.
    Passed(PassedOn),
    /// It found nothing.
    Miss,
    /// It is switched off, or there is nothing to ask.
    Off,
    /// It could not answer.
    Failed,
}

/// How far routing came.
#[derive(Clone, PartialEq, Debug)]
pub enum Routed {
    /// The text is routed.
    Decided(Box<Decision>),
    /// Something must be asked first.
    Ask(Question),
}
