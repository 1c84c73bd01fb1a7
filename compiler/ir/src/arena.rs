//! Typed ids and the tables they lead into: a look-up is an index, and an id of one table cannot be used in another.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Index;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A place in an [`Arena`].
pub trait Id: Copy + Eq + fmt::Debug {
    /// What the table holds, in the story's words: for messages about ids that lead nowhere.
    const WHAT: &'static str;

    /// The id of the entry at `index`.
    fn at(index: usize) -> Self;

    /// The index of the entry.
    fn index(self) -> usize;
}

macro_rules! ids {
    ($( $(#[$meta:meta])* $Name:ident = $what:literal; )*) => { $(
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
        pub struct $Name(pub u32);

        impl Id for $Name {
            const WHAT: &'static str = $what;

            fn at(index: usize) -> Self {
                Self(u32::try_from(index).unwrap_or(u32::MAX))
            }

            fn index(self) -> usize {
                self.0 as usize
            }
        }
    )* };
}

ids! {
    /// A room, or a state inside of one.
    StateId = "state";
    /// One arc of a room.
    ArcId = "arc";
    /// A definition of an intent: global, or local to a room.
    IntentId = "intent";
    /// A world key that the story declares or writes.
    WorldKeyId = "world key";
    /// A declared agent.
    AgentId = "agent";
    /// A host verb that the story calls or allows.
    HostId = "host verb";
    /// An operation policy.
    OperationId = "operation";
    /// A bare expression.
    ExprId = "expression";
    /// A template of either dialect.
    TemplateId = "template";
    /// A place in the author's files, with the way that led from it.
    OriginId = "origin";
}

/// A table whose entries have ids. Entries are never removed; the order is that of declaration.
#[derive(Clone, PartialEq, Debug)]
pub struct Arena<I, T> {
    entries: Vec<T>,
    id: PhantomData<I>,
}

impl<I, T> Default for Arena<I, T> {
    fn default() -> Self {
        Self {
            entries: Vec::new(),
            id: PhantomData,
        }
    }
}

impl<I: Id, T> Arena<I, T> {
    /// Adds an entry.
    pub fn push(&mut self, entry: T) -> I {
        let id = I::at(self.entries.len());
        self.entries.push(entry);
        id
    }

    /// The entry of an id; `None` when the id belongs to another story.
    #[must_use]
    pub fn get(&self, id: I) -> Option<&T> {
        self.entries.get(id.index())
    }

    /// The entry of an id, to be changed.
    pub fn get_mut(&mut self, id: I) -> Option<&mut T> {
        self.entries.get_mut(id.index())
    }

    /// Number of entries.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// `true` without entries.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The entries in order.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.entries.iter()
    }

    /// The ids in order.
    pub fn ids(&self) -> impl Iterator<Item = I> + use<I, T> {
        (0..self.entries.len()).map(I::at)
    }

    /// Ids and entries in order.
    pub fn pairs(&self) -> impl Iterator<Item = (I, &T)> {
        self.entries.iter().enumerate().map(|(i, e)| (I::at(i), e))
    }
}

impl<'a, I: Id, T> IntoIterator for &'a Arena<I, T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.iter()
    }
}

impl<I: Id, T> Index<I> for Arena<I, T> {
    type Output = T;

    /// # Panics
    /// When the id belongs to another story. Ids inside of a story always lead somewhere: reading one checks them all.
    #[expect(
        clippy::indexing_slicing,
        reason = "ids come from `push`, or were checked when the story was read"
    )]
    fn index(&self, id: I) -> &T {
        &self.entries[id.index()]
    }
}

impl<I, T: Serialize> Serialize for Arena<I, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.entries.serialize(serializer)
    }
}

impl<'de, I, T: Deserialize<'de>> Deserialize<'de> for Arena<I, T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::deserialize(deserializer).map(|entries| Self {
            entries,
            id: PhantomData,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_leads_to_what_was_pushed() {
        let mut arena: Arena<StateId, &str> = Arena::default();
        let hall = arena.push("hall");
        let yard = arena.push("yard");
        assert_eq!((arena[hall], arena[yard]), ("hall", "yard"));
        assert_eq!(arena.get(StateId(2)), None);
        assert_eq!(arena.ids().collect::<Vec<_>>(), [hall, yard]);
    }
}
