//! What can go wrong in a turn: a refusal, which is an answer, and a failure, after which nothing has happened
//! (`machine` 22).

use smol_str::SmolStr;

/// A turn failed: an expression, a template, an emit chain. Nothing was applied.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct TurnError {
    /// What failed, where, and why.
    pub message: String,
}

impl TurnError {
    /// A failure in words.
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
        }
    }

    /// The same failure, told with the place that it happened at.
    #[must_use]
    pub fn at(self, place: impl std::fmt::Display) -> Self {
        Self {
            message: format!("{place}: {}", self.message),
        }
    }
}

/// Why an intent was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Code {
    /// No room on the way outwards binds it.
    IntentNotAllowed,
    /// Required slots are absent.
    MissingSlots,
    /// A slot's value is none of the allowed ones.
    InvalidSlotValue,
    /// No arm matched.
    GuardFailed,
    /// Two intents fit the text equally well.
    Ambiguous,
    /// The interpreter could not say what was meant.
    Clarification,
}

impl Code {
    /// The code as fixtures and traces spell it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Code::IntentNotAllowed => "INTENT_NOT_ALLOWED_IN_STATE",
            Code::MissingSlots => "MISSING_SLOTS",
            Code::InvalidSlotValue => "INVALID_SLOT_VALUE",
            Code::GuardFailed => "GUARD_FAILED",
            Code::Ambiguous => "AMBIGUOUS_INTENT",
            Code::Clarification => "LLM_CLARIFICATION",
        }
    }
}

/// A refusal: the story does not take this intent here and now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejection {
    /// Which kind.
    pub code: Code,
    /// In words.
    pub message: String,
    /// The author's hint of the first failing arm that has one.
    pub guard_hint: SmolStr,
    /// The required slots that were absent, sorted.
    pub missing_slots: Vec<SmolStr>,
    /// What the room allows, sorted; for an intent that it does not.
    pub allowed_intents: Vec<SmolStr>,
}

impl Rejection {
    pub(crate) fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            guard_hint: SmolStr::default(),
            missing_slots: Vec::new(),
            allowed_intents: Vec::new(),
        }
    }
}

impl std::fmt::Display for Rejection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.code.as_str(), self.message)
    }
}
