//! Arcs and effects as written (`language` 3.7, 3.10).

use smol_str::SmolStr;

use super::text::{Flag, Int, List, Map, Text};
use super::value::Any;
use super::view::View;

decl! {
    /// `on.<intent>[]`: an arc. Arms are tried in order.
    pub struct Arc("an arc") {
        /// Where it leads; absent, empty or `.` means stay.
        "target" => target: Text,
        /// Guard.
        "when" => when: Text,
        /// Always matches at its place.
        "default" => default: Flag,
        /// Run in order.
        "effects" => effects: List<Effect>,
        /// Shown when the guard fails.
        "guard_hint" => guard_hint: Text,
        /// Starts a session operation.
        "operation" => operation: Text,
        /// Replaces the target's view for this turn.
        "view" => view: Box<View>,
        /// Events for sibling regions.
        "emit" => emit: List<Text>,
        /// `false`: stackless.
        "push_history" => push_history: Flag,
    }
    made {
        /// Set by the fold when the arm was an `@exit:` of an imported story.
        exit: Option<ImportExit>,
    }
}

/// What remains of an exit after the fold: it ends an operation that was started inside (`imports` 8.3).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ImportExit {
    /// The exit's name in the child that was mapped last.
    pub name: SmolStr,
    /// Operations whose id begins with this end here: the aliases of the layers that still lie between.
    pub prefix: SmolStr,
}

decl! {
    /// One effect. At most one action of it runs (`language` 3.10).
    pub struct Effect("an effect") {
        /// Guard of the whole effect.
        "when" => when: Text,
        /// World writes.
        "set" => set: Map<Any>,
        /// Integer increments.
        "increment" => increment: Map<Int>,
        /// Publish overlay values of an operation.
        "commit_operation" => commit_operation: Box<CommitOperation>,
        /// Save an overlay as a draft.
        "persist_draft" => persist_draft: Box<PersistDraft>,
        /// Drop an overlay.
        "discard_operation" => discard_operation: Box<DiscardOperation>,
        /// Narration, a view template.
        "say" => say: Text,
        /// Host verb.
        "invoke" => invoke: Text,
        /// Arguments of the verb.
        "with" => with: Map<Any>,
        /// World key -> path in the result.
        "bind" => bind: Map<Text>,
        /// Address of the call site.
        "id" => id: Text,
        /// Room to go to when the call fails.
        "on_error" => on_error: Text,
        /// Skip when every bind target holds a value.
        "once" => once: Flag,
        /// Run as a job.
        "background" => background: Flag,
        /// Run when the job ends.
        "on_complete" => on_complete: List<Effect>,
        /// Room to go to from `on_complete`.
        "target" => target: Text,
        /// Event for sibling regions.
        "emit" => emit: Text,
        /// Queue an intent after the chain.
        "emit_intent" => emit_intent: Text,
        /// Slots of `emit_intent`.
        "slots" => slots: Map<Any>,
        /// Parsed and never run by the reference.
        "effects" => effects: List<Effect>,
        /// Agent-plugin alias of this call.
        "agent" => agent: Text,
        /// Evaluation metadata.
        "selection" => selection: Box<Selection>,
    }
}

decl! {
    /// `commit_operation`.
    pub struct CommitOperation("a `commit_operation`") {
        /// What to publish; empty means all.
        "world" => world: Map<Any>,
        /// `false`: keep the overlay.
        "clear" => clear: Flag,
    }
}

decl! {
    /// `persist_draft`.
    pub struct PersistDraft("a `persist_draft`") {
        /// Draft id.
        "id" => id: Text,
        /// Draft title.
        "title" => title: Text,
        /// World keys to save.
        "world" => world: List<Text>,
    }
}

decl! {
    /// `discard_operation`.
    pub struct DiscardOperation("a `discard_operation`") {
        /// Why.
        "reason" => reason: Text,
    }
}

decl! {
    /// `selection`: metadata for evaluations.
    pub struct Selection("a `selection`") {
        /// Profile name.
        "profile" => profile: Text,
        /// Model name.
        "model" => model: Text,
        /// Effort word.
        "effort" => effort: Text,
        /// Why this choice.
        "evidence" => evidence: Text,
        /// Profile to fall back to.
        "fallback_profile" => fallback_profile: Text,
    }
}
