//! Lists that are shared until somebody changes them.
//!
//! A declaration passes through many layers (file, package, fold, macros), and most layers change little of it. A copy of a
//! list costs one count; the first change makes the list the owner's own.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::Arc as Shared;

/// A `Vec` whose copies share their items until one of them is changed. Reads like a slice, changes like a `Vec`.
pub struct Items<T>(Option<Shared<Vec<T>>>);

impl<T> Items<T> {
    /// No items.
    #[must_use]
    pub const fn new() -> Self {
        Self(None)
    }

    /// Whether both are copies of one list that nobody has changed since.
    #[must_use]
    pub fn same(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Some(a), Some(b)) => Shared::ptr_eq(a, b),
            (None, None) => true,
            _ => false,
        }
    }
}

impl<T> Default for Items<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> Clone for Items<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T: PartialEq> PartialEq for Items<T> {
    fn eq(&self, other: &Self) -> bool {
        self.same(other) || **self == **other
    }
}

impl<T: fmt::Debug> fmt::Debug for Items<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T> Deref for Items<T> {
    type Target = Vec<T>;

    fn deref(&self) -> &Vec<T> {
        match &self.0 {
            Some(items) => items,
            None => const { &Vec::new() },
        }
    }
}

impl<T: Clone> DerefMut for Items<T> {
    fn deref_mut(&mut self) -> &mut Vec<T> {
        Shared::make_mut(self.0.get_or_insert_default())
    }
}

impl<T> From<Vec<T>> for Items<T> {
    fn from(items: Vec<T>) -> Self {
        Self((!items.is_empty()).then(|| Shared::new(items)))
    }
}

impl<T> FromIterator<T> for Items<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Vec::from_iter(items).into()
    }
}

impl<T: Clone> IntoIterator for Items<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.map(Shared::unwrap_or_clone).unwrap_or_default().into_iter()
    }
}

impl<'a, T> IntoIterator for &'a Items<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a, T: Clone> IntoIterator for &'a mut Items<T> {
    type Item = &'a mut T;
    type IntoIter = std::slice::IterMut<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_leaves_the_other_copy_alone() {
        let one = Items::from(vec![1, 2]);
        let mut two = one.clone();
        assert!(one.same(&two));
        two.push(3);
        assert_eq!((one.len(), two.len()), (2, 3));
        assert!(!one.same(&two) && one != two);
    }

    #[test]
    fn an_empty_list_takes_items() {
        let mut items = Items::new();
        assert!(items.is_empty());
        items.push('a');
        assert_eq!(items.into_iter().collect::<String>(), "a");
    }
}
