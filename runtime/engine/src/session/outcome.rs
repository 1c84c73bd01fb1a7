//! How turns end.

use kitsoki_expr::Map;
use smol_str::SmolStr;

use crate::event::Event;
use crate::fault::Code;

/// How a turn ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// The session moved, or stayed as it should.
    Transitioned,
    /// The story is over.
    Completed,
    /// Slots are missing; nothing was written down.
    Clarify,
    /// The story does not take the intent here.
    Rejected,
    /// A question was answered beside the story: state and world are as before.
    OffPath,
    /// Something could not be evaluated; nothing was applied.
    Failed,
    /// The driver stopped the turn; nothing was applied.
    Cancelled,
}

impl Mode {
    /// The word of reports.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Mode::Transitioned => "transitioned",
            Mode::Completed => "completed",
            Mode::Clarify => "clarify",
            Mode::Rejected => "rejected",
            Mode::OffPath => "offpath",
            Mode::Failed => "error",
            Mode::Cancelled => "cancelled",
        }
    }
}

/// What came of a turn.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// How it ended.
    pub mode: Mode,
    /// Where the session rests.
    pub state: SmolStr,
    /// Its number.
    pub turn: u64,
    /// What is shown; may be empty.
    pub view: String,
    /// The intent that a question for slots is about.
    pub intent: Option<SmolStr>,
    /// The slots as the machine took them.
    pub slots: Option<Map>,
    /// Why it was refused.
    pub error: Option<Code>,
    /// The refusal or the failure in words.
    pub message: String,
    /// The author's hint.
    pub guard_hint: SmolStr,
    /// Required slots that were absent.
    pub missing_slots: Vec<SmolStr>,
    /// What is allowed now.
    pub allowed_intents: Vec<SmolStr>,
    /// What went wrong after the calls without ending the turn.
    pub harness_error: Option<String>,
    /// The engine made the turn itself: the end of a job, a timeout, a start.
    pub synthetic: bool,
}

impl Outcome {
    pub(super) fn of(mode: Mode, state: SmolStr, turn: u64) -> Self {
        Self {
            mode,
            state,
            turn,
            view: String::new(),
            intent: None,
            slots: None,
            error: None,
            message: String::new(),
            guard_hint: SmolStr::default(),
            missing_slots: Vec::new(),
            allowed_intents: Vec::new(),
            harness_error: None,
            synthetic: false,
        }
    }

    pub(super) fn failed(state: SmolStr, turn: u64, why: String) -> Self {
        Self {
            message: why,
            ..Self::of(Mode::Failed, state, turn)
        }
    }
}

/// The result of a turn on its way to the log.
#[derive(Debug)]
pub(super) struct Done {
    pub events: Vec<Event>,
    pub outcome: Outcome,
    /// Whether the state's timeout is armed again.
    pub rearms: bool,
    /// Whether events say the state that the turn began in.
    pub stamps: bool,
}

impl Done {
    pub fn committed(events: Vec<Event>, outcome: Outcome) -> Self {
        Self {
            events,
            outcome,
            rearms: true,
            stamps: true,
        }
    }

    pub fn refused(events: Vec<Event>, outcome: Outcome) -> Self {
        Self {
            events,
            outcome,
            rearms: false,
            stamps: true,
        }
    }

    pub fn nothing(outcome: Outcome) -> Self {
        Self::refused(Vec::new(), outcome)
    }

    pub fn synthetic(events: Vec<Event>, state: SmolStr) -> Self {
        let mut outcome = Outcome::of(Mode::Transitioned, state, 0);
        outcome.synthetic = true;
        Self {
            events,
            outcome,
            rearms: false,
            stamps: false,
        }
    }
}
