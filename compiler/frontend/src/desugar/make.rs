//! Makers of nodes that nobody wrote: everything they make names the macro and the place that caused it.

use std::sync::Arc as Shared;

use kitsoki_syntax::Span;
use smol_str::SmolStr;

use crate::surface::{
    Any, AnyEntry, AnyKind, Arc, Effect, Field, Flag, Intent, Items, List, Made, Map, OffRamp, Origin, Room, Slot,
    Text, WorldVar,
};

/// Makes nodes because of one place.
#[derive(Clone, Copy)]
pub(super) struct Make {
    pub made: Made,
    pub site: Span,
}

impl Make {
    pub fn origin(self) -> Origin {
        Origin::Macro {
            made: self.made,
            site: self.site,
        }
    }

    /// The same macro because of another place.
    pub fn because_of(self, site: Span) -> Self {
        Self { site, ..self }
    }

    pub fn text(self, text: impl Into<SmolStr>) -> Text {
        Text::made(text, self.made, self.site)
    }

    pub fn field<T>(self, value: T) -> Option<Field<T>> {
        Some(Field::made(value, self.site))
    }

    pub fn text_field(self, text: impl Into<SmolStr>) -> Option<Field<Text>> {
        self.field(self.text(text))
    }

    pub fn flag(self, value: bool) -> Option<Field<Flag>> {
        self.field(Flag { value, span: self.site })
    }

    pub fn any(self, text: impl Into<SmolStr>) -> Any {
        Any::made_text(text, self.made, self.site)
    }

    /// A text of the author in a free position: faults in it stay at its place.
    pub fn any_of(self, text: &Text) -> Any {
        Any {
            kind: AnyKind::Text(text.clone()),
            span: text.span,
        }
    }

    pub fn empty_map(self) -> Any {
        Any::made(AnyKind::Map(Items::new()), self.site)
    }

    pub fn any_map(self, entries: impl IntoIterator<Item = (&'static str, Any)>) -> Any {
        let entries = entries
            .into_iter()
            .map(|(name, value)| AnyEntry {
                name: self.text(name),
                value,
            })
            .collect();
        Any::made(AnyKind::Map(entries), self.site)
    }

    pub fn map<T: Clone>(self, entries: impl IntoIterator<Item = (Text, T)>) -> Option<Field<Map<T>>> {
        let mut map = Map::made(self.site);
        for (name, value) in entries {
            map.push(name, value);
        }
        self.field(map)
    }

    pub fn list<T>(self, items: Vec<T>) -> Option<Field<List<T>>> {
        self.field(List::made(items, self.site))
    }

    pub fn texts<const N: usize>(self, items: [&str; N]) -> Option<Field<List<Text>>> {
        self.list(items.into_iter().map(|i| self.text(i)).collect())
    }

    pub fn effect(self) -> Effect {
        Effect::synthesized(self.made, self.site)
    }

    pub fn set(self, entries: impl IntoIterator<Item = (Text, Any)>) -> Effect {
        Effect {
            set: self.map(entries),
            ..self.effect()
        }
    }

    pub fn say(self, text: impl Into<SmolStr>) -> Effect {
        Effect {
            say: self.text_field(text),
            ..self.effect()
        }
    }

    /// An arc to `target` that runs `effects`.
    pub fn arc(self, target: Text, effects: Vec<Effect>) -> Arc {
        let effects = if effects.is_empty() { None } else { self.list(effects) };
        Arc {
            target: self.field(target),
            effects,
            ..Arc::synthesized(self.made, self.site)
        }
    }

    pub fn intent(self, title: &str, description: impl Into<SmolStr>) -> Intent {
        Intent {
            title: self.text_field(title),
            description: self.text_field(description),
            ..Intent::synthesized(self.made, self.site)
        }
    }

    pub fn intent_with(self, title: &str, description: impl Into<SmolStr>, slot: (&str, Slot)) -> Intent {
        Intent {
            slots: self.map([(self.text(slot.0), slot.1)]),
            ..self.intent(title, description)
        }
    }

    pub fn slot(self, required: bool, description: &str) -> Slot {
        Slot {
            ty: self.text_field("string"),
            required: if required { self.flag(true) } else { None },
            description: self.text_field(description),
            ..Slot::synthesized(self.made, self.site)
        }
    }

    pub fn world_var(self, ty: &str, default: Any) -> WorldVar {
        WorldVar {
            origin: self.origin(),
            ty: self.text_field(ty),
            default: self.field(default),
            ..<WorldVar as crate::surface::Surface>::empty(self.site, self.site)
        }
    }

    pub fn off_ramp(self, agent: Text) -> Option<Field<Box<OffRamp>>> {
        self.field(Box::new(OffRamp {
            origin: self.origin(),
            agent: self.field(agent),
            ..<OffRamp as crate::surface::Surface>::empty(self.site, self.site)
        }))
    }

    pub fn room(self) -> Room {
        Room::synthesized(self.made, self.site)
    }

    pub fn shared_room(self, room: Room) -> Shared<Room> {
        Shared::new(room)
    }
}

/// The mapping behind an optional key, made when the author wrote none.
pub(super) fn map_in<T: Clone>(field: &mut Option<Field<Map<T>>>, site: Span) -> &mut Map<T> {
    &mut field.get_or_insert_with(|| Field::made(Map::made(site), site)).value
}

/// The list behind an optional key, made when the author wrote none.
pub(super) fn list_in<T: Clone>(field: &mut Option<Field<List<T>>>, site: Span) -> &mut Vec<T> {
    &mut field
        .get_or_insert_with(|| Field::made(List::made(Vec::new(), site), site))
        .value
        .items
}
