//! Events: what a session writes down, and all that it is made of (`trace` 2, 4).

use kitsoki_expr::{Map, Value};
use smol_str::SmolStr;

/// One entry of a session's log.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// The turn that it belongs to; 0 before the first.
    pub turn: u64,
    /// Its kind, dotted.
    pub kind: SmolStr,
    /// The state that it was in; empty when it does not say.
    pub state_path: SmolStr,
    /// What it says.
    pub payload: Map,
    /// The turn that it hangs off; 0 for none.
    pub parent_turn: u64,
    /// Pairs the events of one agent call.
    pub call_id: SmolStr,
    /// The cassette episode that answered.
    pub episode_id: SmolStr,
    /// How often the episode had answered before.
    pub match_idx: u64,
}

impl Event {
    /// An event with a payload; its turn and state are stamped when the turn ends.
    pub fn new(kind: impl Into<SmolStr>, payload: Map) -> Self {
        Self {
            turn: 0,
            kind: kind.into(),
            state_path: SmolStr::default(),
            payload,
            parent_turn: 0,
            call_id: SmolStr::default(),
            episode_id: SmolStr::default(),
            match_idx: 0,
        }
    }

    /// The text of a payload key; empty when it is none.
    #[must_use]
    pub fn text(&self, key: &str) -> &str {
        self.payload.get(key).and_then(Value::as_str).unwrap_or_default()
    }

    /// Whether it is written to a trace while its turn still runs.
    #[must_use]
    pub fn is_live(&self) -> bool {
        self.kind == kind::DISPATCHED
            || self.kind == kind::WRITE_GRANTED
            || self.kind == kind::OFF_PATH_ENTERED
            || self.kind == kind::OFF_PATH_EXITED
            || (self.kind.starts_with("agent.") && self.kind != kind::TOOL_CALL)
    }
}

/// An event from pairs.
macro_rules! event {
    ($kind:expr $(, $key:literal : $value:expr)* $(,)?) => {
        $crate::event::Event::new($kind, {
            #[allow(unused_mut)]
            let mut payload = kitsoki_expr::Map::new();
            $( payload.insert($key, kitsoki_expr::Value::from($value)); )*
            payload
        })
    };
}
pub(crate) use event;

/// The kinds of events that an engine writes.
pub mod kind {
    macro_rules! kinds {
        ($( $(#[$meta:meta])* $NAME:ident = $text:literal; )*) => {
            $( $(#[$meta])* pub const $NAME: &str = $text; )*
        };
    }
    kinds! {
        /// What came in.
        TURN_INPUT = "turn.input";
        /// A turn begins.
        TURN_START = "turn.start";
        /// A turn ends.
        TURN_END = "turn.end";
        /// The intent was accepted (fixtures).
        ACCEPTED = "machine.intent_accepted";
        /// The intent was refused.
        REFUSED = "machine.validation_failed";
        /// The turn failed; nothing was applied.
        ERROR = "machine.error";
        /// A state follows another.
        TRANSITION = "machine.transition";
        /// A state was left.
        EXITED = "machine.state_exited";
        /// A state was entered.
        ENTERED = "machine.state_entered";
        /// A world key was written, or a call was skipped because it had been made.
        WORLD = "world.update";
        /// Narration.
        SAY = "machine.say";
        /// A gate was decided, or reached.
        GATE = "machine.gate_decided";
        /// A host call was queued.
        CALLED = "harness.called";
        /// A host call went out.
        DISPATCHED = "harness.dispatched";
        /// A host call came back.
        RETURNED = "harness.returned";
        /// What went wrong around host calls.
        HARNESS_ERROR = "harness.error";
        /// A job was started.
        SUBMITTED = "scheduler.submitted";
        /// A job ended.
        COMPLETED = "scheduler.completed";
        /// A timeout fired.
        TIMEOUT = "machine.timeout";
        /// An overlay was opened.
        OP_STARTED = "operation.started";
        /// Values of an overlay were published.
        OP_COMMITTED = "operation.committed";
        /// An overlay was dropped.
        OP_ABANDONED = "operation.abandoned";
        /// An overlay was saved as a draft.
        OP_DRAFT = "operation.draft_persisted";
        /// A session operation began.
        RUN_STARTED = "operation.run_started";
        /// A phase of it began.
        PHASE_STARTED = "operation.phase_started";
        /// A phase of it ended.
        PHASE_COMPLETED = "operation.phase_completed";
        /// It waits.
        RUN_WAITING = "operation.waiting";
        /// It is done.
        RUN_COMPLETED = "operation.completed";
        /// It failed.
        RUN_FAILED = "operation.failed";
        /// The operator was asked about a change, or could not be.
        WRITE_GRANTED = "machine.write_mode_granted";
        /// The interpreter's answer.
        TOOL_CALL = "agent.tool_call";
        /// The conversation beside the story begins.
        OFF_PATH_ENTERED = "machine.off_path_entered";
        /// The conversation beside the story ends.
        OFF_PATH_EXITED = "machine.off_path_exited";
        /// A question of that conversation.
        OFF_PATH_QUESTION = "agent.off_path.question";
        /// Its answer.
        OFF_PATH_ANSWER = "agent.off_path.answer";
    }
}
