//! The machine: a pure function of a story, a state, a world and an intent (`machine` 1, 9).
//!
//! | Module | What it holds |
//! |---|---|
//! | `scope` | which intents a path allows, their definitions, aliases |
//! | `slots` | validation of slots |
//! | `select` | which arm is taken |
//! | `targets` | where it leads; initial children; what is left and entered |
//! | `effects` | effect lists |
//! | `emits` | intents that effects emit |
//! | `gates` | rooms that ask for a decision |
//! | `overlay` | operations of a room |
//! | `runs` | operations of a session |
//! | `turn` | one intent, from validation to view |
//! | `parallel` | the same in a state with regions |
//! | `settle` | emits that were waiting for a bound value |

pub(crate) use overlay::hash;
mod effects;
mod emits;
mod gates;
mod overlay;
mod parallel;
mod runs;
mod scope;
mod select;
mod settle;
mod slots;
mod targets;
mod turn;

use std::sync::Arc;

use kitsoki_expr::{Env, Map, Value};
use kitsoki_ir::Invoke;
use smol_str::SmolStr;

pub use effects::{EffectRun, Emitted};
pub use gates::Candidate;
pub use scope::AllowedIntent;
pub use select::{DryRun, Winner};
pub use settle::Settled;

use crate::event::Event;
use crate::fault::Rejection;
use crate::program::Program;
use crate::world::World;

/// Emitted intents may chain this deep.
pub const MAX_EMIT_DEPTH: usize = 24;

/// The machine of one story. Copying it is free.
#[derive(Clone, Copy, Debug)]
pub struct Machine<'p> {
    pub(crate) program: &'p Program,
}

/// What a user, a fixture or a router asks for.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The intent's name, perhaps as it is spelt inside of an import.
    pub intent: SmolStr,
    /// Slots; `None` is not the same as none: defaults are filled only into a bag that is there (`machine` 6).
    pub slots: Option<Map>,
}

/// A host call that a turn queued. Whoever drives the session makes it.
#[derive(Clone, Debug)]
pub struct HostCall {
    /// The verb.
    pub namespace: SmolStr,
    /// Arguments as they were when it was queued.
    pub args: Map,
    /// The call as the story has it.
    pub invoke: Arc<Invoke>,
    /// The slots of the effect's environment.
    pub slots: Map,
    /// The world at the effect's place.
    pub snapshot: Map,
    /// The state whose effect list declares the call: the gate judges by it.
    pub declared_in: SmolStr,
}

/// What a turn of the machine did.
#[derive(Clone, Debug)]
pub struct Turned {
    /// Where the session rests.
    pub state: SmolStr,
    /// Its world.
    pub world: World,
    /// The view; empty when a queued call binds something, for the driver renders after that.
    pub view: String,
    /// What happened, in order.
    pub events: Vec<Event>,
    /// Calls to make, in order.
    pub calls: Vec<HostCall>,
    /// The slots as the machine took them, defaults among them.
    pub slots: Option<Map>,
    /// Set when the intent was refused: state and world are as before.
    pub rejection: Option<Rejection>,
}

impl<'p> Machine<'p> {
    /// The machine of a program.
    #[must_use]
    pub fn new(program: &'p Program) -> Self {
        Self { program }
    }
}

/// The environment of guards, targets and effects.
pub(crate) fn env(world: &World, slots: &Map) -> Env {
    Env::new(world.vars.clone(), slots.clone())
}

/// Slots as an event shows them: `null` when none were given.
pub(crate) fn slots_value(slots: Option<&Map>) -> Value {
    slots.map_or(Value::Nil, |s| Value::Map(s.clone()))
}

/// Joins the parts of what was said.
pub(crate) fn join_said(said: &[String]) -> String {
    said.join("\n")
}

/// A view below what was said on the way to it.
fn below(said: &[String], view: String) -> String {
    let said = join_said(said);
    match (said.is_empty(), view.is_empty()) {
        (true, _) => view,
        (false, true) => said,
        (false, false) => format!("{said}\n\n{view}"),
    }
}
