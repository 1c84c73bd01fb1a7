//! The menu of a room: what can be done now, what cannot and why (`machine` 17).

use kitsoki_expr::{Map, Value};
use kitsoki_ir::view::ElementKind;
use kitsoki_ir::{Intent, Slot, View};
use smol_str::SmolStr;

use crate::machine::{DryRun, Machine};
use crate::path;
use crate::value;
use crate::world::World;

/// One row.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The intent's final name.
    pub intent: SmolStr,
    /// What is shown.
    pub display: String,
    /// Slots that the row fills in.
    pub slots: Map,
    /// Required slots that the row leaves open, sorted by name.
    pub missing: Vec<SmolStr>,
    /// Why it is blocked.
    pub reason: SmolStr,
    /// Where it leads, as written.
    pub destination: SmolStr,
}

/// The menu of a room.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Menu {
    /// What can be done, by priority, then as shown.
    pub primary: Vec<Row>,
    /// What cannot be done now, as shown.
    pub blocked: Vec<Row>,
}

impl<'p> Machine<'p> {
    /// Computes the menu of a path in a world.
    #[must_use]
    pub fn menu(self, at: &str, world: &World) -> Menu {
        let mut menu = Menu::default();
        let allowed = self.allowed_intents(at);
        for intent in allowed.iter().filter(|a| !a.intent.hidden) {
            let mut rows = Vec::new();
            self.expand(&intent.name, intent.intent, at, world, &mut rows);
            if let [(row, _)] = rows.as_mut_slice()
                && !row.missing.is_empty()
                && let Some(label) = self.static_label(at, &intent.name)
            {
                row.display = label.to_string();
            }
            for (row, primary) in rows {
                if primary {
                    menu.primary.push(row);
                } else {
                    menu.blocked.push(row);
                }
            }
        }
        let priority = |name: &str| allowed.iter().find(|a| a.name == name).map_or(0, |a| a.intent.priority);
        menu.primary.sort_by(|a, b| {
            priority(&b.intent)
                .cmp(&priority(&a.intent))
                .then_with(|| a.display.cmp(&b.display))
        });
        menu.blocked.sort_by(|a, b| a.display.cmp(&b.display));
        menu
    }

    /// The rows of one intent, each with whether it can be taken.
    fn expand(self, name: &SmolStr, intent: &Intent, at: &str, world: &World, rows: &mut Vec<(Row, bool)>) {
        let mut required: Vec<&Slot> = intent.required().collect();
        required.sort_by(|a, b| a.name.cmp(&b.name));
        let row = |display: String| Row {
            intent: name.clone(),
            display,
            slots: Map::new(),
            missing: Vec::new(),
            reason: SmolStr::default(),
            destination: SmolStr::default(),
        };
        let Some(first) = required.iter().find(|s| !s.values.is_empty()) else {
            let mut only = row(shown(name, &required, None));
            if !required.is_empty() {
                only.missing = required.iter().map(|s| s.name.clone()).collect();
                rows.push((only, true));
                return;
            }
            let primary = match self.dry_run(at, world, name, &Map::new()) {
                DryRun::Taken(to) => {
                    only.destination = to;
                    true
                }
                DryRun::Default(Some(reason)) => {
                    only.reason = reason;
                    false
                }
                DryRun::Blocked(hint) => {
                    only.reason = if hint.is_empty() {
                        intent.description.clone()
                    } else {
                        hint
                    };
                    false
                }
                DryRun::Default(None) | DryRun::Unresolved => true,
            };
            rows.push((only, primary));
            return;
        };
        for allowed in &first.values {
            let mut one = row(shown(name, &required, Some((&first.name, allowed))));
            one.slots = value::map([(first.name.as_str(), Value::text(allowed))]);
            let open = required.iter().filter(|s| s.name != first.name);
            one.missing = open.map(|s| s.name.clone()).collect();
            let primary = match self.dry_run(at, world, name, &one.slots) {
                DryRun::Default(_) => continue,
                DryRun::Taken(to) => {
                    one.destination = to;
                    true
                }
                DryRun::Unresolved => true,
                DryRun::Blocked(hint) => {
                    one.reason = if hint.is_empty() {
                        intent.description.clone()
                    } else {
                        hint
                    };
                    false
                }
            };
            rows.push((one, primary));
        }
    }

    /// The label that the room's view gives an intent, when no template stands in it.
    fn static_label(self, at: &str, intent: &str) -> Option<&'p str> {
        if path::is_parallel(at) {
            return None;
        }
        let (_, state) = self.program.state(at)?;
        let Some(View::Elements(elements)) = &state.view else {
            return None;
        };
        let choices = elements.iter().filter_map(|e| match &e.show {
            ElementKind::Choice(choice) => Some(choice),
            _ => None,
        });
        choices
            .flat_map(|c| c.items.iter())
            .find(|item| {
                item.intent == intent && !item.label.is_empty() && !self.program.raw(&item.label).contains("{{")
            })
            .map(|item| self.program.raw(&item.label))
    }
}

/// `name`, then each required slot as its value or as a place to fill.
fn shown(name: &str, required: &[&Slot], filled: Option<(&str, &str)>) -> String {
    let mut out = name.to_owned();
    for slot in required {
        match filled {
            Some((key, value)) if key == slot.name => {
                out.push(' ');
                out.push_str(value);
            }
            _ => {
                use std::fmt::Write;
                let _ = write!(out, " <{}:{}>", slot.name, slot.ty);
            }
        }
    }
    out
}

impl Menu {
    /// The menu as views see it.
    #[must_use]
    pub fn to_map(&self) -> Map {
        let rows = |rows: &[Row], primary: bool| {
            let row = |r: &Row| {
                Value::Map(value::map([
                    ("intent", Value::text(&r.intent)),
                    ("display", Value::text(&r.display)),
                    ("reason", Value::text(&r.reason)),
                    ("destination_hint", Value::text(&r.destination)),
                    ("primary", Value::Bool(primary)),
                ]))
            };
            Value::list(rows.iter().map(row).collect())
        };
        value::map([
            ("primary", rows(&self.primary, true)),
            ("blocked", rows(&self.blocked, false)),
        ])
    }
}
