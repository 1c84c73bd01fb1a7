//! The content of a dict: entries in the order of their insertion, found by hash.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};

use super::MAX_VALUE_NESTING;
use super::meter::{self, Charge};
use super::number;
use super::value::Value;
use crate::fault::{Class, Fault, Res};

/// What an entry costs: key and value twice over, hash, index.
const ENTRY: usize = 128;

/// Entries in order. Removed ones leave gaps that are closed when they outnumber the rest.
#[derive(Debug)]
pub(crate) struct Table {
    entries: Vec<Option<(Value, Value)>>,
    index: HashMap<Key, usize>,
    /// No entry stands before this one.
    first: usize,
    charge: Charge,
    paid: usize,
}

#[derive(Debug)]
struct Key {
    hash: u64,
    value: Value,
}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        self.hash == other.hash && same_key(&self.value, &other.value)
    }
}

impl Eq for Key {}

impl Table {
    pub(crate) fn new() -> Res<Self> {
        let charge = Charge::take(192)?;
        Ok(Self {
            entries: Vec::new(),
            index: HashMap::new(),
            first: 0,
            charge,
            paid: 0,
        })
    }

    pub(crate) fn len(&self) -> usize {
        self.index.len()
    }

    /// How many positions there are; some may be gaps.
    pub(crate) fn positions(&self) -> usize {
        self.entries.len()
    }

    /// The entry at a position.
    pub(crate) fn at(&self, position: usize) -> Option<&(Value, Value)> {
        self.entries.get(position)?.as_ref()
    }

    /// The entries in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &(Value, Value)> {
        self.entries.iter().flatten()
    }

    fn key(value: &Value) -> Res<Key> {
        Ok(Key {
            hash: hash(value, 0)?,
            value: value.clone(),
        })
    }

    pub(crate) fn get(&self, key: &Value) -> Res<Option<Value>> {
        let key = Self::key(key)?;
        Ok(self.index.get(&key).and_then(|i| self.at(*i)).map(|(_, v)| v.clone()))
    }

    /// Sets a value; a key that is there keeps its place.
    pub(crate) fn insert(&mut self, key: Value, value: Value) -> Res<()> {
        let found = Self::key(&key)?;
        if let Some(i) = self.index.get(&found) {
            if let Some(Some(entry)) = self.entries.get_mut(*i) {
                entry.1 = value;
            }
            return Ok(());
        }
        if self.entries.len() >= self.paid {
            let more = self.paid.max(8);
            self.charge.grow(more.saturating_mul(ENTRY))?;
            self.paid += more;
        }
        self.index.insert(found, self.entries.len());
        self.entries.push(Some((key, value)));
        Ok(())
    }

    pub(crate) fn remove(&mut self, key: &Value) -> Res<Option<Value>> {
        let key = Self::key(key)?;
        let Some(i) = self.index.remove(&key) else {
            return Ok(None);
        };
        let entry = self.entries.get_mut(i).and_then(Option::take);
        self.close_gaps()?;
        Ok(entry.map(|(_, v)| v))
    }

    /// Takes the first entry out.
    pub(crate) fn pop_first(&mut self) -> Res<Option<(Value, Value)>> {
        while self.first < self.entries.len() && self.at(self.first).is_none() {
            self.first += 1;
        }
        let Some((key, _)) = self.at(self.first) else {
            return Ok(None);
        };
        let key = Self::key(key)?;
        self.index.remove(&key);
        let entry = self.entries.get_mut(self.first).and_then(Option::take);
        self.close_gaps()?;
        Ok(entry)
    }

    fn close_gaps(&mut self) -> Res<()> {
        if self.entries.len() < 32 || self.index.len() * 2 > self.entries.len() {
            return Ok(());
        }
        meter::work_len(self.entries.len() * 8)?;
        self.entries.retain(Option::is_some);
        self.first = 0;
        self.index.clear();
        for (i, entry) in self.entries.iter().enumerate() {
            if let Some((key, _)) = entry {
                self.index.insert(Self::key(key)?, i);
            }
        }
        Ok(())
    }

    pub(crate) fn clear(&mut self) {
        super::grave::bury(self.take_all());
    }

    /// Empties the table and gives back what was in it.
    pub(crate) fn take_all(&mut self) -> Vec<Value> {
        self.first = 0;
        let mut values = Vec::with_capacity(self.index.len() * 2);
        for (key, _) in std::mem::take(&mut self.index) {
            values.push(key.value);
        }
        for (_, value) in std::mem::take(&mut self.entries).into_iter().flatten() {
            values.push(value);
        }
        values
    }
}

/// Equality of keys: only hashable values come here, so it cannot fail.
fn same_key(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::None, Value::None) => true,
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::Text(a), Value::Text(b)) | (Value::Bytes(a), Value::Bytes(b)) => a.bytes == b.bytes,
        (Value::Tuple(a), Value::Tuple(b)) => {
            a.items.len() == b.items.len() && a.items.iter().zip(&b.items).all(|(a, b)| same_key(a, b))
        }
        _ if number::is_number(a) && number::is_number(b) => number::compare(a, b).is_eq(),
        _ => a.same(b),
    }
}

/// The hash of a key. Equal numbers hash alike whatever their type.
pub(crate) fn hash(value: &Value, depth: usize) -> Res<u64> {
    let mut hasher = std::hash::DefaultHasher::new();
    match value {
        Value::None => 0u8.hash(&mut hasher),
        Value::Bool(b) => (1u8, b).hash(&mut hasher),
        Value::Int(i) => (2u8, i).hash(&mut hasher),
        Value::Big(b) => (3u8, &b.value).hash(&mut hasher),
        Value::Float(f) => match number::whole(*f) {
            Some(Value::Int(i)) => (2u8, i).hash(&mut hasher),
            Some(Value::Big(b)) => (3u8, &b.value).hash(&mut hasher),
            _ if f.is_nan() => 4u8.hash(&mut hasher),
            _ => (5u8, f.to_bits()).hash(&mut hasher),
        },
        Value::Text(t) => {
            meter::work_len(t.bytes.len())?;
            (6u8, &t.bytes).hash(&mut hasher);
        }
        Value::Bytes(t) => {
            meter::work_len(t.bytes.len())?;
            (7u8, &t.bytes).hash(&mut hasher);
        }
        Value::Tuple(t) => {
            if depth >= MAX_VALUE_NESTING {
                return Err(Fault::new(Class::LimitDepth, "value nested too deep to be a key"));
            }
            meter::work_len(t.items.len())?;
            8u8.hash(&mut hasher);
            for item in &t.items {
                hash(item, depth + 1)?.hash(&mut hasher);
            }
        }
        Value::Function(f) => (9u8, std::rc::Rc::as_ptr(f).addr()).hash(&mut hasher),
        Value::Builtin(f) => (9u8, std::rc::Rc::as_ptr(f).addr()).hash(&mut hasher),
        Value::List(_) | Value::Dict(_) => return Err(Fault::runtime(format!("unhashable type: {}", value.kind()))),
        Value::Range(_) | Value::Elems(_) => return Err(Fault::runtime(format!("unhashable: {}", value.kind()))),
        Value::Record(_) => return Err(Fault::runtime(format!("{} is unhashable", value.kind()))),
    }
    Ok(hasher.finish())
}
