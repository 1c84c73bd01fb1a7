//! Lists. The kind remembers where a list came from, because the reference prints and refuses by it.

use std::sync::Arc;

use super::Value;

/// Where a list came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ListKind {
    /// A sequence of a document, a list literal, most results.
    Any,
    /// Texts only: the result of `split`.
    Strings,
    /// `split` with the limit 0: an empty list that counts as nil.
    NilStrings,
    /// Integers only: a range.
    Ints,
    /// Bytes only: a byte string.
    Bytes,
    /// The result of the `reverse` filter: a list that prints as a placeholder.
    Bare,
}

/// A shared list.
#[derive(Debug, Clone)]
pub struct List(Arc<Data>);

#[derive(Debug, Clone)]
struct Data {
    kind: ListKind,
    depth: u16,
    items: Vec<Value>,
}

impl List {
    /// An ordinary list.
    #[must_use]
    pub fn new(items: Vec<Value>) -> Self {
        Self::with_kind(ListKind::Any, items)
    }

    /// A list of a kind; the caller keeps to what the kind says of the items.
    #[must_use]
    pub fn with_kind(kind: ListKind, items: Vec<Value>) -> Self {
        let depth = items.iter().map(Value::depth).max().unwrap_or(0).saturating_add(1);
        Self(Arc::new(Data { kind, depth, items }))
    }

    /// Where the list came from.
    #[must_use]
    pub fn kind(&self) -> ListKind {
        self.0.kind
    }

    /// The items.
    #[must_use]
    pub fn items(&self) -> &[Value] {
        &self.0.items
    }

    /// The items as an iterator.
    pub fn iter(&self) -> std::slice::Iter<'_, Value> {
        self.0.items.iter()
    }

    /// The item at an index from 0.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<&Value> {
        self.0.items.get(index)
    }

    /// How many items.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.items.len()
    }

    /// True without items.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.items.is_empty()
    }

    /// Levels of lists and maps, itself included.
    #[must_use]
    pub fn depth(&self) -> u16 {
        self.0.depth
    }

    /// Adds an item at the end; an ordinary list from then on.
    pub fn push(&mut self, item: Value) {
        let data = Arc::make_mut(&mut self.0);
        data.kind = ListKind::Any;
        data.depth = data.depth.max(item.depth().saturating_add(1));
        data.items.push(item);
    }
}

impl FromIterator<Value> for List {
    fn from_iter<I: IntoIterator<Item = Value>>(items: I) -> Self {
        Self::new(items.into_iter().collect())
    }
}

impl<'a> IntoIterator for &'a List {
    type Item = &'a Value;
    type IntoIter = std::slice::Iter<'a, Value>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
