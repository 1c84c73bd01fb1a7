//! Effects: one guarded action each, in lists that run in order (`machine` 11).

use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use crate::arena::{ExprId, HostId, OriginId, StateId, TemplateId, WorldKeyId};
use crate::code::Text;
use crate::is_default;
use crate::value::Value;

/// One entry of an effect list.
///
/// Order of evaluation: `when` (E-bool against the running world; `false` skips everything), then `action`, then
/// `emit_intent`. `emit` is read by parallel propagation without looking at `when`; `target` only has a meaning in the
/// `on_complete` list of an [`Invoke`].
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Effect {
    /// Where it came from.
    pub at: OriginId,
    /// Guard of the whole effect.
    #[serde(default, skip_serializing_if = "is_default")]
    pub when: Option<ExprId>,
    /// What it does. An author may write several actions on one effect; only the first runs, and only it is here.
    #[serde(default, skip_serializing_if = "is_default")]
    pub action: Action,
    /// An intent to queue after the chain.
    #[serde(default, skip_serializing_if = "is_default")]
    pub emit_intent: Option<Emit>,
    /// An event for sibling regions of a parallel room.
    #[serde(default, skip_serializing_if = "is_default")]
    pub emit: Option<SmolStr>,
    /// In `on_complete`: the room to go to. The first entry that fires wins.
    #[serde(default, skip_serializing_if = "is_default")]
    pub target: Option<Redirect>,
}

/// The action of an [`Effect`].
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// None: the effect only emits, or says nothing.
    #[default]
    None,
    /// World writes. All values are resolved against the world before the entry, then written in this order, which is
    /// that of the sorted key names. Each value is coerced by the key's declared type.
    Set(Vec<Assign>),
    /// Integer additions; an absent or non-numeric old value counts as 0.
    Increment(Vec<Increment>),
    /// `commit_operation`: publish overlay values.
    Commit {
        /// What to publish, in order of sorted names; empty: the whole overlay.
        #[serde(default, skip_serializing_if = "is_default")]
        world: Vec<Assign>,
        /// The overlay stays open with an empty patch (`clear: false`).
        #[serde(default, skip_serializing_if = "is_default")]
        keep_open: bool,
    },
    /// `persist_draft`: save the overlay, then drop it.
    PersistDraft {
        /// Draft id: rendered, converted to text, trimmed; must not be empty then.
        id: Value,
        /// Draft title; `null` when none was written.
        #[serde(default, skip_serializing_if = "is_default")]
        title: Value,
        /// Keys to save; empty: the whole patch.
        #[serde(default, skip_serializing_if = "is_default")]
        world: Vec<WorldKeyId>,
    },
    /// `discard_operation`: drop the overlay.
    Discard {
        /// Why; `explicit` when the author gave no reason.
        reason: SmolStr,
    },
    /// Narration, in the view language.
    Say(Text),
    /// A host call, queued now and dispatched after the chain.
    Invoke(Box<Invoke>),
}

/// One world write.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Assign {
    /// The key.
    pub key: WorldKeyId,
    /// The value, templates in the effect language inside.
    pub value: Value,
}

/// One integer addition.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Increment {
    /// The key.
    pub key: WorldKeyId,
    /// What is added.
    pub by: i64,
}

/// An intent that an effect queues.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Emit {
    /// Its name as the author or a template says it; trimmed, then resolved through the alias tables of the rooms. An
    /// empty name does nothing.
    pub name: Text,
    /// Slots; not validated, no defaults.
    #[serde(default, skip_serializing_if = "is_default")]
    pub slots: Vec<(SmolStr, Value)>,
}

/// A host call.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Invoke {
    /// The verb.
    pub host: HostId,
    /// Arguments, templates in the effect language inside. Resolved when queued and, leaf by leaf, again when dispatched.
    #[serde(default, skip_serializing_if = "is_default")]
    pub with: Vec<(SmolStr, Value)>,
    /// Address of the call site: the arguments get it as `call`. As it stands when the call is queued, a template of the
    /// effect language when it is dispatched.
    #[serde(default, skip_serializing_if = "is_default")]
    pub id: Option<Text>,
    /// What of the result goes where, in order of sorted key names.
    #[serde(default, skip_serializing_if = "is_default")]
    pub bind: Vec<Bind>,
    /// Where the session goes when the call fails.
    #[serde(default, skip_serializing_if = "is_default")]
    pub on_error: Option<Redirect>,
    /// Skip when every bind target holds a value.
    #[serde(default, skip_serializing_if = "is_default")]
    pub once: bool,
    /// Run as a job.
    #[serde(default, skip_serializing_if = "is_default")]
    pub background: bool,
    /// Run when the job ends, if the session is still in the room that started it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub on_complete: Vec<Effect>,
    /// Agent-plugin alias for this call; not the same as `with.agent`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub plugin: Option<SmolStr>,
    /// Metadata for evaluations (`selection`); no effect at run time.
    #[serde(default, skip_serializing_if = "is_default")]
    pub selection: Vec<(SmolStr, SmolStr)>,
}

/// One part of a host result and where it goes.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bind {
    /// The world key.
    pub key: WorldKeyId,
    /// The part.
    pub from: BindFrom,
}

/// Where the value of a [`Bind`] comes from.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BindFrom {
    /// A path into the result: names with dots, `[0]` indexes. A miss leaves the key as it was.
    Path(SmolStr),
    /// A template of the effect language over `result`; a failure leaves the key as it was.
    Template(TemplateId),
}

/// A room that an engine jumps to outside of arcs: `on_error`, `on_complete` targets, timeouts.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Redirect {
    /// A room of the story.
    State(StateId),
    /// `..` and what follows, relative to the room in which the session is *then*, not to the owner.
    Relative(SmolStr),
    /// A template of the effect language (`on_complete` only).
    Template(TemplateId),
    /// A name that leads nowhere (`.` among them): the engine stays where it is, as the reference does.
    Nowhere(SmolStr),
}
