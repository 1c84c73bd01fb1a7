//! Maps with text keys, in insertion order.

use std::sync::Arc;

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use smol_str::SmolStr;

use super::Value;

/// A shared map.
#[derive(Debug, Clone, Default)]
pub struct Map(Arc<Data>);

#[derive(Debug, Clone, Default)]
struct Data {
    depth: u16,
    entries: IndexMap<SmolStr, Value, FxBuildHasher>,
}

impl Map {
    /// An empty map.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The value of a key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.0.entries.get(key)
    }

    /// True when the key is there, whatever its value.
    #[must_use]
    pub fn contains_key(&self, key: &str) -> bool {
        self.0.entries.contains_key(key)
    }

    /// Sets a key and returns what it had. A new key goes to the end.
    pub fn insert(&mut self, key: impl Into<SmolStr>, value: Value) -> Option<Value> {
        let data = Arc::make_mut(&mut self.0);
        data.depth = data.depth.max(value.depth());
        data.entries.insert(key.into(), value)
    }

    /// Takes a key out; the order of the others stays.
    pub fn remove(&mut self, key: &str) -> Option<Value> {
        if !self.contains_key(key) {
            return None;
        }
        Arc::make_mut(&mut self.0).entries.shift_remove(key)
    }

    /// How many keys.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.entries.len()
    }

    /// True without keys.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.entries.is_empty()
    }

    /// Keys and values in insertion order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&SmolStr, &Value)> {
        self.0.entries.iter()
    }

    /// Keys in insertion order.
    pub fn keys(&self) -> impl ExactSizeIterator<Item = &SmolStr> {
        self.0.entries.keys()
    }

    /// Keys and values in byte order of the keys: the order of printing and of iteration.
    #[must_use]
    pub fn sorted(&self) -> Vec<(&SmolStr, &Value)> {
        let mut entries: Vec<_> = self.iter().collect();
        entries.sort_by(|a, b| a.0.as_bytes().cmp(b.0.as_bytes()));
        entries
    }

    /// Levels of lists and maps, itself included.
    #[must_use]
    pub fn depth(&self) -> u16 {
        self.0.depth.saturating_add(1)
    }
}

impl PartialEq for Map {
    fn eq(&self, other: &Self) -> bool {
        self.0.entries == other.0.entries
    }
}

impl<K: Into<SmolStr>> FromIterator<(K, Value)> for Map {
    fn from_iter<I: IntoIterator<Item = (K, Value)>>(entries: I) -> Self {
        let mut depth = 0;
        let entries = entries
            .into_iter()
            .map(|(key, value)| {
                depth = value.depth().max(depth);
                (key.into(), value)
            })
            .collect();
        Self(Arc::new(Data { depth, entries }))
    }
}
