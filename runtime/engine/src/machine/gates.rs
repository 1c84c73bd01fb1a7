//! Rooms that ask for a decision, and who makes it (`machine` 14.2).

use kitsoki_expr::{Map, Value};
use kitsoki_ir::state::GateDecider;
use kitsoki_ir::{Target, Text};
use smol_str::SmolStr;

use super::select::Found;
use super::targets::Hop;
use super::{Emitted, Machine, Winner, env};
use crate::event::{Event, event, kind};
use crate::path;
use crate::value;
use crate::world::World;

/// The intent of the framework that leads to story authoring; it never counts as a decision.
const AUTHORING: &str = "author_story";

/// An intent that a decider may choose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Its final name.
    pub name: SmolStr,
    /// Its label.
    pub title: SmolStr,
    /// What it is for.
    pub description: SmolStr,
}

impl<'p> Machine<'p> {
    /// Whether a room asks for a decision: an intent other than those that it emits itself leads on.
    #[must_use]
    pub fn is_gate(self, at: &str, world: &World) -> bool {
        if path::is_parallel(at) {
            return false;
        }
        let Some((_, state)) = self.program.state(at) else {
            return false;
        };
        let emitted: Vec<SmolStr> = state
            .on_enter
            .iter()
            .filter_map(|e| match &e.emit_intent.as_ref()?.name {
                Text::Literal(name) => Some(self.resolve_alias(at, name.trim())),
                Text::Template(_) => None,
            })
            .collect();
        self.forward(at, world).into_iter().any(|name| !emitted.contains(&name))
    }

    /// The intents that lead on from a room now, in order of names.
    fn forward(self, at: &str, world: &World) -> Vec<SmolStr> {
        let env = env(world, &Map::new());
        let leads_on = |name: &SmolStr| {
            if name == AUTHORING || self.intent(at, name).is_some_and(|i| i.hidden) {
                return false;
            }
            let Ok(Found::Arm(winner)) = self.find(at, name, &env) else {
                return false;
            };
            !self.is_exit(winner) && self.probe(winner, world) != at
        };
        self.allowed_names(at).into_iter().filter(leads_on).collect()
    }

    fn is_exit(self, winner: Winner<'p>) -> bool {
        let name = match &winner.arm.target {
            Target::State(id) => self.program.story.path(*id),
            Target::Unknown(name) => name.as_str(),
            Target::Template(id) => self.program.source(*id),
            Target::Stay => return false,
        };
        name.starts_with("@exit") || name.starts_with("__exit__")
    }

    /// Where an arm would lead, without going down to a leaf; a target that cannot be rendered stays as it is written.
    fn probe(self, winner: Winner<'p>, world: &World) -> SmolStr {
        match self.target(winner, &env(world, &Map::new()), Hop::Synthetic) {
            Ok(resolved) => resolved.path,
            Err(_) => self.written_target(winner.arm, winner.owner),
        }
    }

    /// Whether the emits of a room wait for somebody: the room says who decides, else the mode of the run does.
    #[must_use]
    pub fn waits(self, at: &str, world: &World, staged: bool) -> bool {
        match self.program.state(at).map_or(GateDecider::Unset, |(_, s)| s.decider) {
            GateDecider::Human => self.is_gate(at, world),
            GateDecider::Llm => false,
            GateDecider::Unset => staged && self.is_gate(at, world),
        }
    }

    /// Whether all emits are routing that no operator ever chooses.
    pub(crate) fn all_hidden(self, at: &str, emits: &[Emitted]) -> bool {
        let hidden = |e: &Emitted| {
            let name = self.resolve_alias(at, &e.name);
            self.intent(at, &name).is_some_and(|i| i.hidden)
        };
        !emits.is_empty() && emits.iter().all(hidden)
    }

    /// What a decider may choose between: what leads on, the emits of the room among it.
    #[must_use]
    pub fn candidates(self, at: &str, world: &World) -> Vec<Candidate> {
        let names = self.forward(at, world).into_iter();
        names
            .filter_map(|name| {
                let intent = self.intent(at, &name)?;
                Some(Candidate {
                    title: intent.title.clone(),
                    description: intent.description.clone(),
                    name,
                })
            })
            .collect()
    }

    /// The event of a decision, or of a room that waits for one.
    pub(crate) fn gate_event(self, at: &str, decider: &str, chosen: &str, bailed: bool) -> Event {
        event!(
            kind::GATE,
            "state": at,
            "available_intents": value::texts(self.allowed_names(at)),
            "decider": decider,
            "chosen_intent": chosen,
            "bailed_to_human": Value::Bool(bailed),
        )
    }
}
