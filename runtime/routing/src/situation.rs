//! Where a session stands, as routing needs to know it.
//!
//! Routing does not run a story. Whoever does tells it through [`Situation`] what is allowed, what the menu shows, and what
//! would come of an intent.

use kitsoki_expr::{Map, Value};
use kitsoki_ir::{Intent, State, StateId, Story};
use smol_str::SmolStr;

/// A row of the menu that can be chosen.
#[derive(Clone, PartialEq, Debug)]
pub struct MenuRow {
    /// What is shown.
    pub display: String,
    /// The intent.
    pub intent: SmolStr,
    /// The slots that choosing the row fills.
    pub slots: Map,
    /// Required slots that it does not fill, sorted.
    pub missing: Vec<SmolStr>,
}

/// Why an intent would not be taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// Nothing here takes it.
    IntentNotAllowed,
    /// A required slot is not given.
    MissingSlots,
    /// A value is none of the declared ones.
    InvalidSlotValue,
    /// No arm matches.
    GuardFailed,
    /// A guard cannot be evaluated.
    Error,
}

impl Refusal {
    /// The code that a turn reports.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::IntentNotAllowed => "INTENT_NOT_ALLOWED_IN_STATE",
            Self::MissingSlots => "MISSING_SLOTS",
            Self::InvalidSlotValue => "INVALID_SLOT_VALUE",
            Self::GuardFailed => "GUARD_FAILED",
            Self::Error => "error",
        }
    }
}

/// Where a session stands.
pub trait Situation {
    /// The story.
    fn story(&self) -> &Story;

    /// The state as a path; all regions of a parallel state in it. It is part of a key of the turn cache.
    fn path(&self) -> &str;

    /// The state; the parallel state itself when the session stands in its regions. `None` in a state that the story does
    /// not declare.
    fn state(&self) -> Option<StateId>;

    /// The defined intents that are allowed here, by priority from the highest, then by name.
    fn allowed(&self) -> &[SmolStr];

    /// The rows of the menu that can be chosen, in order.
    fn menu(&self) -> &[MenuRow];

    /// The value of a world key.
    fn world(&self, key: &str) -> Option<&Value>;

    /// What would come of an intent: its slots with the declared defaults filled in, or why it is refused. Nothing is
    /// executed.
    ///
    /// # Errors
    /// When it is refused.
    fn dry_run(&self, intent: &str, slots: &Map) -> Result<Map, Refusal>;
}

/// The declaration of the state.
pub(crate) fn room(at: &dyn Situation) -> Option<&State> {
    at.story().states.get(at.state()?)
}

/// Whether an intent is allowed.
pub(crate) fn allows(at: &dyn Situation, intent: &str) -> bool {
    at.allowed().iter().any(|name| name == intent)
}

/// The definition of an intent from the outermost state inwards, then the global one. The machine looks from the inside
/// out; the two differ when a state and one around it define the same name (`dispatch` 5.9).
pub(crate) fn outermost<'a>(at: &'a dyn Situation, name: &str) -> Option<&'a Intent> {
    let story = at.story();
    let named = |intent: &&Intent| intent.name == name;
    let mut states: Vec<&State> = at
        .state()
        .map(|s| story.chain(s).map(|(_, s)| s).collect())
        .unwrap_or_default();
    states.reverse();
    let local = states
        .into_iter()
        .flat_map(|s| &s.intents)
        .filter_map(|id| story.intents.get(*id))
        .find(named);
    local.or_else(|| story.intents.iter().filter(|i| i.scope.is_none()).find(named))
}

/// The slot that takes free text: the only required one, of type string or without a type.
pub(crate) fn text_slot(intent: &Intent) -> Option<&SmolStr> {
    let mut required = intent.required();
    let slot = required.next()?;
    let takes_text = matches!(slot.ty.as_str(), "" | "string");
    (takes_text && required.next().is_none()).then_some(&slot.name)
}
