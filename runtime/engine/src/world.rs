//! The world of a session: its variables, and the overlay of an operation over them (`machine` 4, 15.1).

use kitsoki_expr::{Map, Value};
use kitsoki_ir::world::Coercion;
use kitsoki_ir::{Story, WorldKey};
use smol_str::SmolStr;

use crate::gate::is_reserved;
use crate::value;

/// The variables of a session.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct World {
    /// What expressions see: the durable values, and over them the patch of an open overlay.
    pub vars: Map,
    /// The overlay of the operation that is under way.
    pub overlay: Option<Overlay>,
}

/// Writes of an operation that nobody has committed yet.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Overlay {
    /// The operation's id: the scope of the state, or its path.
    pub id: SmolStr,
    /// The state that owns it.
    pub state: SmolStr,
    /// The durable values.
    pub base: Map,
    /// What was written since it was opened.
    pub patch: Map,
}

impl World {
    /// The world in which a session of a story begins: declared defaults, then what every engine brings.
    #[must_use]
    pub fn of_story(story: &Story) -> Self {
        let mut vars = Map::new();
        for key in &story.world {
            if !key.undeclared && key.default != kitsoki_ir::Value::Null && !is_reserved(&key.name) {
                vars.insert(key.name.clone(), value::literal(&key.default));
            }
        }
        for (name, start) in [
            ("session_cost_usd", Value::Float(0.0)),
            ("turn_cost_usd", Value::Float(0.0)),
            ("last_error", Value::text("")),
            ("write_mode_scope", Value::text("")),
        ] {
            if !vars.contains_key(name) {
                vars.insert(name, start);
            }
        }
        Self { vars, overlay: None }
    }

    /// The value of a key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.vars.get(key)
    }

    /// The value of a key as text; empty when it is none.
    #[must_use]
    pub fn text(&self, key: &str) -> &str {
        self.vars.get(key).and_then(Value::as_str).unwrap_or_default()
    }

    /// Writes a key: into the overlay when one is open.
    pub fn set(&mut self, key: &str, value: Value) {
        if let Some(overlay) = &mut self.overlay {
            overlay.patch.insert(key, value.clone());
        }
        self.vars.insert(key, value);
    }

    /// Writes a key below the overlay; it shows at once.
    pub fn set_durable(&mut self, key: &str, value: Value) {
        if let Some(overlay) = &mut self.overlay {
            overlay.base.insert(key, value.clone());
        }
        self.vars.insert(key, value);
    }

    /// The values that stay when the overlay goes.
    #[must_use]
    pub fn durable(&self) -> &Map {
        self.overlay.as_ref().map_or(&self.vars, |o| &o.base)
    }

    /// Opens an overlay over what is durable now.
    pub fn open(&mut self, id: SmolStr, state: SmolStr) {
        let base = self.durable().clone();
        self.vars = base.clone();
        self.overlay = Some(Overlay {
            id,
            state,
            base,
            patch: Map::new(),
        });
    }

    /// Drops the overlay with all it wrote.
    pub fn discard(&mut self) -> Option<Overlay> {
        let overlay = self.overlay.take()?;
        self.vars = overlay.base.clone();
        Some(overlay)
    }

    /// Makes values of the overlay durable; `keep` leaves it open and empty.
    pub fn commit(&mut self, patch: &Map, keep: bool) {
        let Some(mut overlay) = self.overlay.take() else { return };
        for (key, value) in patch.iter().filter(|(key, _)| !is_reserved(key)) {
            overlay.base.insert(key.clone(), value.clone());
        }
        self.vars = overlay.base.clone();
        if keep {
            overlay.patch = Map::new();
            self.overlay = Some(overlay);
        }
    }
}

/// What a written value becomes by the declared type of its key; an undeclared key takes it as it is (`expressions` 2.3).
#[must_use]
pub fn coerced(key: Option<&WorldKey>, value: Value) -> Value {
    let Some(to) = key.filter(|k| !k.undeclared).and_then(WorldKey::coercion) else {
        return value;
    };
    match (to, &value) {
        (Coercion::Bool, Value::Str(text)) if text == "true" => Value::Bool(true),
        (Coercion::Bool, Value::Str(text)) if text == "false" => Value::Bool(false),
        (Coercion::Int, Value::Float(n)) if n.fract() == 0.0 && n.is_finite() => Value::Int(*n as i64),
        (Coercion::Int, Value::Str(text)) => text.parse().map_or(value, Value::Int),
        (Coercion::Float, Value::Str(text)) => text.parse().map_or(value, Value::Float),
        _ => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_overlay_hides_its_writes_until_they_are_committed() {
        let mut world = World::default();
        world.set("rate", Value::Int(1));
        world.open("rate.edit".into(), "editor".into());
        world.set("rate", Value::Int(2));
        assert_eq!(world.get("rate"), Some(&Value::Int(2)));
        assert_eq!(world.durable().get("rate"), Some(&Value::Int(1)));
        world.discard();
        assert_eq!(world.get("rate"), Some(&Value::Int(1)));
        world.open("rate.edit".into(), "editor".into());
        world.set("rate", Value::Int(3));
        let patch = world.overlay.as_ref().map(|o| o.patch.clone()).unwrap_or_default();
        world.commit(&patch, false);
        assert_eq!(
            (world.get("rate"), world.overlay.is_none()),
            (Some(&Value::Int(3)), true)
        );
    }
}
