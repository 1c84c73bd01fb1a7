//! The value of a key with the place of the key.
//!
//! A declaration has many keys and an author writes few of them, so that a field is one pointer. It passes through many
//! layers (file, package, fold, macros) that change little, so that copies share it until one of them is changed.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::Arc as Shared;

use kitsoki_syntax::Span;

/// A value of a key, with the place of the key. Reads and changes like a [`Keyed`], which reads like its value.
pub struct Field<T>(Shared<Keyed<T>>);

/// What a [`Field`] holds.
#[derive(Clone, PartialEq, Debug)]
pub struct Keyed<T> {
    /// The key, quotes included. For a made field the place that caused it.
    pub key: Span,
    /// The value.
    pub value: T,
}

impl<T> Field<T> {
    /// The value of the key at `key`.
    pub fn new(key: Span, value: T) -> Self {
        Self(Shared::new(Keyed { key, value }))
    }

    /// A field of a made node.
    pub fn made(value: T, site: Span) -> Self {
        Self::new(site, value)
    }

    /// The value alone.
    #[must_use]
    pub fn into_value(self) -> T
    where
        T: Clone,
    {
        Shared::unwrap_or_clone(self.0).value
    }
}

impl<T> Clone for Field<T> {
    fn clone(&self) -> Self {
        Self(Shared::clone(&self.0))
    }
}

impl<T: PartialEq> PartialEq for Field<T> {
    fn eq(&self, other: &Self) -> bool {
        Shared::ptr_eq(&self.0, &other.0) || *self.0 == *other.0
    }
}

impl<T: fmt::Debug> fmt::Debug for Field<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<T> Deref for Field<T> {
    type Target = Keyed<T>;

    fn deref(&self) -> &Keyed<T> {
        &self.0
    }
}

impl<T: Clone> DerefMut for Field<T> {
    fn deref_mut(&mut self) -> &mut Keyed<T> {
        Shared::make_mut(&mut self.0)
    }
}

impl<T> Deref for Keyed<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> DerefMut for Keyed<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.value
    }
}

/// A key that may be absent.
pub trait Optional<T> {
    /// What it holds, when it is there.
    fn value(&self) -> Option<&T>;
}

impl<T> Optional<T> for Option<Field<T>> {
    fn value(&self) -> Option<&T> {
        self.as_ref().map(|field| &field.value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surface::text::nowhere;

    #[test]
    fn a_change_leaves_the_other_copy_alone() {
        let one = Field::made(vec![1], nowhere());
        let mut two = one.clone();
        assert_eq!(one, two);
        two.push(2);
        assert_eq!((one.len(), two.len()), (1, 2));
        assert_ne!(one, two);
        assert_eq!(two.into_value(), [1, 2]);
    }

    #[test]
    fn an_absent_key_takes_a_pointer() {
        assert_eq!(size_of::<Option<Field<[u64; 9]>>>(), size_of::<usize>());
        assert_eq!(None::<Field<u8>>.value(), None);
    }
}
