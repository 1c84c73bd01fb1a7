//! Rooms (`machine` 3, `language` 3.6).

use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use crate::agent::AgentRef;
use crate::arc::Handler;
use crate::arena::{ExprId, IntentId, OriginId, StateId, WorldKeyId};
use crate::code::Text;
use crate::effect::{Effect, Redirect};
use crate::is_default;
use crate::value::Value;
use crate::view::View;

/// A room, or a state inside of one.
///
/// [`crate::Story::states`] holds them depth first in the order of declaration, parents before their children.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    /// Where it came from.
    pub at: OriginId,
    /// Fields of a written room that a macro filled in, with the place that caused each: `write_mode`…
    #[serde(default, skip_serializing_if = "is_default")]
    pub made: Vec<(SmolStr, OriginId)>,
    /// Dotted path from the top level.
    pub path: SmolStr,
    /// The room around this one.
    #[serde(default, skip_serializing_if = "is_default")]
    pub parent: Option<StateId>,
    /// Children, regions of a parallel room among them, in order of declaration.
    #[serde(default, skip_serializing_if = "is_default")]
    pub children: Vec<StateId>,
    /// Declared without a body: a legal target, which look-ups do not find.
    #[serde(default, skip_serializing_if = "is_default")]
    pub bodiless: bool,
    /// What entering it does.
    #[serde(default, skip_serializing_if = "is_default")]
    pub kind: StateKind,
    /// Name of the child that is entered first; a template of the view language may say it. Only followed when `kind` is
    /// compound; without one the session rests on the compound itself.
    #[serde(default, skip_serializing_if = "is_default")]
    pub initial: Text,
    /// End state.
    #[serde(default, skip_serializing_if = "is_default")]
    pub terminal: bool,
    /// Location line, menu and model prompt; literal.
    #[serde(default, skip_serializing_if = "is_default")]
    pub description: SmolStr,
    /// Rendered on arrival.
    #[serde(default, skip_serializing_if = "is_default")]
    pub view: Option<View>,
    /// Status line, in the view language; honoured on the top level.
    #[serde(default, skip_serializing_if = "is_default")]
    pub footer: Text,
    /// Local definitions of intents.
    #[serde(default, skip_serializing_if = "is_default")]
    pub intents: Vec<IntentId>,
    /// What intents do here, in order of declaration.
    #[serde(default, skip_serializing_if = "is_default")]
    pub on: Vec<Handler>,
    /// Run on entry.
    #[serde(default, skip_serializing_if = "is_default")]
    pub on_enter: Vec<Effect>,
    /// World keys of the location line.
    #[serde(default, skip_serializing_if = "is_default")]
    pub relevant_world: Vec<WorldKeyId>,
    /// Documentation only.
    #[serde(default, skip_serializing_if = "is_default")]
    pub relevant_slots: Vec<SmolStr>,
    /// Documentation only: the menu is computed from the arcs.
    #[serde(default, skip_serializing_if = "is_default")]
    pub menu: Vec<SmolStr>,
    /// A free-form agent room (`mode: conversational`).
    #[serde(default, skip_serializing_if = "is_default")]
    pub conversational: bool,
    /// Sink for free text, by its final name.
    #[serde(default, skip_serializing_if = "is_default")]
    pub default_intent: Option<SmolStr>,
    /// Free text that nothing matches goes to an agent conversation.
    #[serde(default, skip_serializing_if = "is_default")]
    pub off_ramp: Option<OffRamp>,
    /// Final-tier router, when enabled.
    #[serde(default, skip_serializing_if = "is_default")]
    pub contextual_routing: Option<ContextualRouting>,
    /// What remains of a workbench: the gate signal at the end of a turn (`dispatch` 15).
    #[serde(default, skip_serializing_if = "is_default")]
    pub workbench: Option<Workbench>,
    /// Whether agents may change things from here.
    #[serde(default, skip_serializing_if = "is_default")]
    pub write_mode: WriteMode,
    /// Who decides this room's gate.
    #[serde(default, skip_serializing_if = "is_default")]
    pub decider: GateDecider,
    /// The room owns a world overlay under this id.
    #[serde(default, skip_serializing_if = "is_default")]
    pub operation: Option<SmolStr>,
    /// Automatic arc.
    #[serde(default, skip_serializing_if = "is_default")]
    pub timeout: Option<Timeout>,
    /// Readiness checks; nested rooms inherit them.
    #[serde(default, skip_serializing_if = "is_default")]
    pub prerequisites: Vec<Prerequisite>,
    /// Staffing policy.
    #[serde(default, skip_serializing_if = "is_default")]
    pub assignment: Option<Assignment>,
    /// `intercept_drive: rest`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub drive_to_rest: bool,
    /// How long the room's transcript lives; `None`: `transient` for a conversational room, else `persistent`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub transcript: Option<Transcript>,
    /// Display theme.
    #[serde(default, skip_serializing_if = "is_default")]
    pub theme: SmolStr,
    /// Set on the wrapper of an import: the alias.
    #[serde(default, skip_serializing_if = "is_default")]
    pub import_alias: Option<SmolStr>,
    /// Spellings of intents inside of an import: written name, final name (`imports` 12.1).
    #[serde(default, skip_serializing_if = "is_default")]
    pub intent_aliases: Vec<(SmolStr, SmolStr)>,
}

impl State {
    /// The last segment of the path.
    #[must_use]
    pub fn name(&self) -> &str {
        self.path.rsplit('.').next().unwrap_or_default()
    }

    /// The handler of an intent in this room alone, by final name (`*` for the wildcard).
    #[must_use]
    pub fn handler(&self, intent: &str) -> Option<&Handler> {
        self.on.iter().find(|h| h.intent == intent)
    }

    /// Where a macro filled in `field`, when one did.
    #[must_use]
    pub fn made_at(&self, field: &str) -> Option<OriginId> {
        self.made.iter().find(|(name, _)| name == field).map(|(_, at)| *at)
    }
}

/// What entering a state does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StateKind {
    /// The session rests in it.
    #[default]
    Atomic,
    /// Its `initial` child is entered.
    Compound,
    /// All its children are entered.
    Parallel,
}

/// Whether agents that are called from a room may change things.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WriteMode {
    /// Nothing was said.
    #[default]
    Unset,
    /// They may.
    Open,
    /// Only with the operator's word.
    ReadOnly,
}

/// Who decides the gate of a room.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GateDecider {
    /// The mode of the run decides.
    #[default]
    Unset,
    /// A person, always.
    Human,
    /// The model, always.
    Llm,
}

/// How long a room's transcript lives.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Transcript {
    /// For the session.
    Persistent,
    /// For the visit.
    Transient,
}

/// Where free text goes that nothing matches.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OffRamp {
    /// Agent that answers.
    #[serde(default, skip_serializing_if = "is_default")]
    pub agent: Option<AgentRef>,
    /// Persona; wins over the agent.
    #[serde(default, skip_serializing_if = "is_default")]
    pub persona: SmolStr,
    /// Shown on entering the conversation.
    #[serde(default, skip_serializing_if = "is_default")]
    pub banner: SmolStr,
    /// The conversation is the sink of free text: the room's `default_intent` is intercepted before the machine.
    #[serde(default, skip_serializing_if = "is_default")]
    pub capture_free_text: bool,
}

/// The final-tier router of a room; only there when enabled.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContextualRouting {
    /// Lane of the room: an intent.
    #[serde(default, skip_serializing_if = "is_default")]
    pub room_chat: SmolStr,
    /// Lane for help.
    #[serde(default, skip_serializing_if = "is_default")]
    pub help_chat: SmolStr,
    /// Lane for the story itself.
    #[serde(default, skip_serializing_if = "is_default")]
    pub meta_chat: SmolStr,
    /// World key and one inner key, `key.inner`, of a pending plan; `None`: not written, so `landing_note.plan`; empty:
    /// the guard is off.
    #[serde(default, skip_serializing_if = "is_default")]
    pub pending_plan_path: Option<SmolStr>,
    /// Intent of a consent; empty: `accept_plan`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub plan_accept_intent: SmolStr,
    /// Intent of anything else; empty: `work`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub plan_refine_intent: SmolStr,
}

/// What an engine still reads of a `workbench:` block after its expansion.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Workbench {
    /// Agent that works.
    pub agent: AgentRef,
    /// Agent of the off-ramp.
    pub off_ramp_agent: AgentRef,
    /// World key of the request.
    pub request: WorldKeyId,
    /// World key of the note: the first bind of the first `host.agent.task` of the room.
    #[serde(default, skip_serializing_if = "is_default")]
    pub note: Option<WorldKeyId>,
    /// Schema of the note: a path, absolute for an imported room.
    pub acceptance_schema: SmolStr,
    /// The note carries a plan.
    #[serde(default, skip_serializing_if = "is_default")]
    pub plan: bool,
}

/// An automatic arc.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Timeout {
    /// Where it came from.
    pub at: OriginId,
    /// Duration as written (`90s`, `1h30m`, `10d`); literal, so a text with braces never fires.
    pub after: SmolStr,
    /// The same in milliseconds, when it is a duration above zero.
    #[serde(default, skip_serializing_if = "is_default")]
    pub after_ms: Option<u64>,
    /// Where it leads. Only [`Redirect::State`] moves the session.
    pub target: Redirect,
    /// Also cancel the newest job.
    #[serde(default, skip_serializing_if = "is_default")]
    pub cancel_job: bool,
}

/// A readiness check. Its texts are in the view language.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prerequisite {
    /// Where it came from.
    pub at: OriginId,
    /// Unique in the room.
    pub id: SmolStr,
    /// Shown.
    pub title: Text,
    /// `false` or an error means unmet.
    pub satisfied_when: Option<ExprId>,
    /// Relevance.
    #[serde(default, skip_serializing_if = "is_default")]
    pub when: Option<ExprId>,
    /// `info`, `warning` or `error`.
    pub severity: SmolStr,
    /// Shown.
    #[serde(default, skip_serializing_if = "is_default")]
    pub summary: Text,
    /// Shown.
    #[serde(default, skip_serializing_if = "is_default")]
    pub help: Text,
    /// What the operator can do; only with an intent.
    #[serde(default, skip_serializing_if = "is_default")]
    pub action: Option<PrerequisiteAction>,
}

/// What the operator can do about an unmet prerequisite.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PrerequisiteAction {
    /// Label; empty: the title.
    #[serde(default, skip_serializing_if = "is_default")]
    pub label: Text,
    /// Hint; empty: help or summary.
    #[serde(default, skip_serializing_if = "is_default")]
    pub hint: Text,
    /// Intent.
    pub intent: SmolStr,
    /// Slots of the intent, templates of the effect language inside.
    #[serde(default, skip_serializing_if = "is_default")]
    pub slots: Vec<(SmolStr, Value)>,
}

/// Staffing policy of a room.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Assignment {
    /// Who.
    pub role: SmolStr,
    /// Somebody must be assigned.
    #[serde(default, skip_serializing_if = "is_default")]
    pub required: bool,
    /// May change hands.
    #[serde(default, skip_serializing_if = "is_default")]
    pub allow_reassign: bool,
    /// `linked-ticket`, or empty.
    #[serde(default, skip_serializing_if = "is_default")]
    pub sync: SmolStr,
}
