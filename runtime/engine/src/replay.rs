//! The log back into a session: state and world are the fold of the events (`trace` 8).

use kitsoki_expr::{Map, Value};
use smol_str::SmolStr;

use crate::event::{Event, kind};
use crate::program::Program;
use crate::value;
use crate::world::World;

/// The mark of the update that a grant writes; a scope that a driver sets by itself has none, and stays.
pub(crate) const GRANTED: &str = "granted";

/// Where a session is: what a fold makes of a log.
#[derive(Clone, Debug, PartialEq)]
pub struct Journey {
    /// The state.
    pub state: SmolStr,
    /// The world.
    pub world: World,
    /// The highest turn that anything happened in.
    pub turn: u64,
    /// The open scope of the write-mode gate is a grant for the turn: it ends when the next one begins.
    pub turn_grant: bool,
}

impl Journey {
    /// Before anything has happened.
    #[must_use]
    pub fn start(state: impl Into<SmolStr>, world: World) -> Self {
        Self {
            state: state.into(),
            world,
            turn: 0,
            turn_grant: false,
        }
    }

    /// Takes an event in. Kinds that change nothing, unknown ones among them, only count for the turn.
    pub fn apply(&mut self, program: &Program, event: &Event) {
        self.turn = self.turn.max(event.turn);
        match event.kind.as_str() {
            kind::TRANSITION => {
                let to = event.text("to");
                if !to.is_empty() {
                    self.state = to.into();
                }
            }
            kind::WORLD => self.update(program, &event.payload),
            kind::OP_STARTED => self
                .world
                .open(event.text("operation_id").into(), event.text("state").into()),
            kind::OP_COMMITTED => {
                let patch = event.payload.get("world_patch").and_then(Value::as_map);
                let patch: Map = patch
                    .into_iter()
                    .flat_map(Map::iter)
                    .map(|(key, value)| (key.clone(), restored(program, key, value)))
                    .collect();
                // Also an overlay that the commit left open ends with its turn: the next one opens it again.
                self.world.commit(&patch, false);
            }
            kind::OP_DRAFT => {
                let id = event.text("draft_id").to_owned();
                let world = event.payload.get("world").map_or(Value::Nil, value::logged);
                self.world.discard();
                let mut drafts = self
                    .world
                    .get("operation_drafts")
                    .and_then(Value::as_map)
                    .cloned()
                    .unwrap_or_default();
                let draft = value::map([("id", Value::text(&id)), ("world", world)]);
                drafts.insert(id, Value::Map(draft));
                self.world.set_durable("operation_drafts", Value::Map(drafts));
            }
            kind::OP_ABANDONED => {
                self.world.discard();
            }
            _ => {}
        }
    }

    fn update(&mut self, program: &Program, payload: &Map) {
        let local = payload.get("operation_local").and_then(Value::as_bool).unwrap_or(false);
        let write = |world: &mut World, key: &str, value| {
            if local {
                world.set(key, value);
            } else {
                world.set_durable(key, value);
            }
        };
        if let Some(set) = payload.get("set").and_then(Value::as_map) {
            for (key, value) in set.iter() {
                if key == crate::gate::SCOPE {
                    let granted = payload.get(GRANTED).and_then(Value::as_bool).unwrap_or(false);
                    self.turn_grant = granted && value.as_str() == Some("turn");
                }
                let value = restored(program, key, value);
                write(&mut self.world, key, value);
            }
        }
        if let Some(increments) = payload.get("increment").and_then(Value::as_map) {
            for (key, by) in increments.iter() {
                // A default that nobody has rewritten yet is no number to the log's reader.
                let now = match self.world.get(key) {
                    Some(Value::Int(n)) => *n,
                    Some(Value::Float(n)) => *n as i64,
                    _ => 0,
                };
                let sum = now.wrapping_add(value::number(Some(by)));
                write(&mut self.world, key, Value::Int(sum));
            }
        }
    }
}

/// A value as the log gives it back: whole numbers are integers again where the key is declared so.
fn restored(program: &Program, key: &str, value: &Value) -> Value {
    let value = value::logged(value);
    let declared = program.names.world_key(key).and_then(|id| program.story.world.get(id));
    match (&value, declared) {
        (Value::Float(n), Some(key)) if !key.undeclared && key.ty == "int" => Value::Int(*n as i64),
        _ => value,
    }
}
