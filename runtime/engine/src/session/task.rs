//! What every piece of a running turn works with.

use std::sync::Arc;

use kitsoki_expr::{Map, Value};

use super::port::Port;
use super::{Config, HostCalls};
use crate::event::{Event, event, kind};
use crate::machine::Machine;
use crate::program::Program;
use crate::value;
use crate::world::World;

/// A running turn.
#[derive(Clone)]
pub(crate) struct Task {
    pub program: Arc<Program>,
    pub config: Arc<Config>,
    pub port: Port,
    pub turn: u64,
}

impl Task {
    pub fn machine(&self) -> Machine<'_> {
        Machine::new(&self.program)
    }

    /// Whether calls are made at all.
    pub fn calls_hosts(&self) -> bool {
        self.config.hosts == HostCalls::Made
    }
}

/// Writes a world key and its event: into the overlay when one is open.
pub(crate) fn write(world: &mut World, events: &mut Vec<Event>, key: &str, value: Value) {
    world.set(key, value.clone());
    let mut update = event!(kind::WORLD, "set": value::map([(key, value)]));
    if let Some(overlay) = &world.overlay {
        update.payload.insert("operation_id", Value::Str(overlay.id.clone()));
        update.payload.insert("operation_local", Value::Bool(true));
    }
    events.push(update);
}

/// The event of a world key that is not written into the world here.
pub(crate) fn set_event(key: &str, value: Value) -> Event {
    event!(kind::WORLD, "set": value::map([(key, value)]))
}

/// The text of a map's key.
pub(crate) fn text_of<'a>(map: &'a Map, key: &str) -> &'a str {
    map.get(key).and_then(Value::as_str).unwrap_or_default()
}
