//! Operations on types.

use std::sync::Arc;

use super::Type;
use crate::value::Value;

impl Type {
    /// The type of one of two values.
    #[must_use]
    pub fn or(&self, other: &Type) -> Type {
        if *self == Type::Any || *other == Type::Any {
            return Type::Any;
        }
        let mut parts: Vec<Type> = self.parts().to_vec();
        for part in other.parts() {
            if !parts.contains(part) {
                parts.push(part.clone());
            }
        }
        Type::one_of(parts)
    }

    fn one_of(mut parts: Vec<Type>) -> Type {
        if parts.len() == 1
            && let Some(only) = parts.pop()
        {
            return only;
        }
        Type::Union(Arc::from(parts))
    }

    /// The types that it may be; itself unless it is a union.
    #[must_use]
    pub fn parts(&self) -> &[Type] {
        match self {
            Type::Union(parts) => parts,
            other => std::slice::from_ref(other),
        }
    }

    /// Whether one of its types passes a test; unknown ones always do.
    pub fn may_be(&self, test: impl Fn(&Type) -> bool) -> bool {
        let parts = self.parts();
        parts.is_empty() || parts.iter().any(|part| *part == Type::Any || test(part))
    }

    /// True when nil is one of its types, and something is known of it.
    #[must_use]
    pub fn has_nil(&self) -> bool {
        self.parts().contains(&Type::Nil)
    }

    /// The type without nil; unknown when nothing else is left.
    #[must_use]
    pub fn without_nil(&self) -> Type {
        let parts: Vec<Type> = self
            .parts()
            .iter()
            .filter(|part| **part != Type::Nil)
            .cloned()
            .collect();
        if parts.is_empty() {
            Type::Any
        } else {
            Type::one_of(parts)
        }
    }

    pub(super) fn is_number(&self) -> bool {
        matches!(self, Type::Int | Type::Float)
    }

    pub(super) fn is_text(&self) -> bool {
        matches!(self, Type::String | Type::Enum(_))
    }

    /// Whether values of both types can be equal.
    pub(super) fn overlaps(&self, other: &Type) -> bool {
        self.parts().iter().any(|a| {
            other.parts().iter().any(|b| match (a, b) {
                (Type::Any, _) | (_, Type::Any) => true,
                (Type::Enum(x), Type::Enum(y)) => x.iter().any(|text| y.contains(text)),
                (a, b) if a.is_text() && b.is_text() => true,
                (a, b) if a.is_number() && b.is_number() => true,
                (Type::List(_), Type::List(_)) | (Type::Map(_), Type::Map(_)) => true,
                (a, b) => a == b,
            })
        })
    }

    /// The type of a value of a document.
    #[must_use]
    pub fn of_value(value: &Value) -> Type {
        match value {
            Value::Nil => Type::Nil,
            Value::Bool(_) => Type::Bool,
            Value::Int(_) | Value::Uint(_) => Type::Int,
            Value::Float(_) => Type::Float,
            Value::Str(_) => Type::String,
            Value::List(_) => Type::List(Arc::new(Type::Any)),
            Value::Map(_) | Value::Native(_) => Type::Any,
        }
    }

    /// In words of stories: "a text", "a text or nil".
    #[must_use]
    pub fn describe(&self) -> String {
        let words: Vec<&str> = self
            .parts()
            .iter()
            .map(|part| match part {
                Type::Any | Type::Union(_) => "anything",
                Type::Nil => "nil",
                Type::Bool => "a bool",
                Type::Int => "an integer",
                Type::Float => "a float",
                Type::String => "a text",
                Type::Enum(_) => "one of a few texts",
                Type::List(_) => "a list",
                Type::Map(_) => "a map",
            })
            .collect();
        words.join(" or ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unions_are_flat_and_without_doubles() {
        let text_or_nil = Type::String.or(&Type::Nil);
        assert_eq!(text_or_nil.or(&Type::String).parts().len(), 2);
        assert_eq!(text_or_nil.without_nil(), Type::String);
        assert_eq!(Type::Any.or(&Type::Nil), Type::Any);
    }

    #[test]
    fn kinds_that_can_be_equal() {
        assert!(Type::Int.overlaps(&Type::Float));
        assert!(!Type::Int.overlaps(&Type::String));
        assert!(Type::Nil.or(&Type::Int).overlaps(&Type::Nil));
    }
}
