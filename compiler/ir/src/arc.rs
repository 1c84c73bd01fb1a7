//! Arcs: what an intent does in a room (`machine` 7, 8).

use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use crate::arena::{ArcId, ExprId, IntentId, OperationId, OriginId, StateId, TemplateId};
use crate::effect::Effect;
use crate::is_default;
use crate::view::View;

/// What a room does with one intent: the arms in the order in which they are tried.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Handler {
    /// Where the key came from.
    pub at: OriginId,
    /// The intent's final name, or `*` for any intent that the room does not handle otherwise.
    pub intent: SmolStr,
    /// The definition that this room sees under the name: its own, an ancestor's, the global one. `None` for `*`, and for
    /// a name that is defined nowhere, whose slots are not checked.
    #[serde(default, skip_serializing_if = "is_default")]
    pub definition: Option<IntentId>,
    /// The arms; may be empty, then the room does not bind the intent.
    pub arcs: Vec<ArcId>,
}

/// One arm.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Arc {
    /// Where it came from.
    pub at: OriginId,
    /// The room that owns it: base of [`Target::Stay`].
    pub owner: StateId,
    /// Whether it is taken.
    #[serde(default, skip_serializing_if = "is_default")]
    pub guard: Guard,
    /// Where it leads.
    #[serde(default, skip_serializing_if = "is_default")]
    pub target: Target,
    /// Run in order, before the target's `on_enter`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub effects: Vec<Effect>,
    /// Replaces the target's view for this turn.
    #[serde(default, skip_serializing_if = "is_default")]
    pub view: Option<View>,
    /// Told when no arm matches; literal, never rendered.
    #[serde(default, skip_serializing_if = "is_default")]
    pub guard_hint: SmolStr,
    /// Starts a session operation.
    #[serde(default, skip_serializing_if = "is_default")]
    pub operation: Option<OperationId>,
    /// Events for sibling regions of a parallel room.
    #[serde(default, skip_serializing_if = "is_default")]
    pub emit: Vec<SmolStr>,
    /// `push_history: false`; carried, no effect at run time.
    #[serde(default, skip_serializing_if = "is_default")]
    pub stackless: bool,
    /// Set when the arm was an exit of an imported story: it ends an operation that was started inside.
    #[serde(default, skip_serializing_if = "is_default")]
    pub exit: Option<ImportExit>,
}

/// Whether an arm is taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Guard {
    /// Always: no guard was written.
    #[default]
    Always,
    /// `default: true`: always, at its place in the list. The menu treats it as a fall-back.
    Default,
    /// When the expression is true.
    When(ExprId),
}

/// Where an arm leads.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Target {
    /// Absent, empty or `.`: the owner, and not a re-entry.
    #[default]
    Stay,
    /// A room; naming the current one is a re-entry.
    State(StateId),
    /// Rendered, trimmed, then resolved against the owner: empty and `.` stay, `..` is relative, anything else absolute
    /// and perhaps undeclared.
    Template(TemplateId),
    /// A name that no room has. A story with one does not pass the checker; an engine rests there without view and
    /// intents, as the reference does for rendered names.
    Unknown(SmolStr),
}

/// What remains of an `@exit:` of an imported story (`imports` 8.3, `machine` 15.2).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ImportExit {
    /// The exit's name in the child.
    pub name: SmolStr,
    /// Operations whose id begins with this end here: `alias__`.
    pub prefix: SmolStr,
}
