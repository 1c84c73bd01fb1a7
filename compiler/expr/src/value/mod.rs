//! Values of stories at run time: what expressions compute with and templates print (language 2 of the expression chapter).
//!
//! Lists and maps are shared (`Arc`) and copied on write. Maps keep insertion order for people; no operator of the
//! languages can see that order.

mod convert;
mod list;
mod map;
mod native;

pub use list::{List, ListKind};
pub use map::Map;
pub use native::{Helper, Native};

use smol_str::SmolStr;

/// A value.
#[derive(Debug, Clone, Default)]
pub enum Value {
    /// Nothing: an absent key and a YAML null are the same.
    #[default]
    Nil,
    /// True or false.
    Bool(bool),
    /// A 64-bit signed integer; arithmetic wraps.
    Int(i64),
    /// A 64-bit unsigned integer, as the reference reads non-negative YAML integers. Only `type()`, unary minus and
    /// a few refusals show the difference.
    Uint(u64),
    /// A double.
    Float(f64),
    /// A text.
    Str(SmolStr),
    /// A list.
    List(List),
    /// A map with text keys.
    Map(Map),
    /// What no document can hold: unset roots, the run record, view helpers, times.
    Native(Native),
}

/// The deepest value that an expression may build; readers of values may rely on it for what expressions made.
pub const MAX_VALUE_DEPTH: u16 = 512;

impl Value {
    /// A text value.
    #[must_use]
    pub fn text(text: impl AsRef<str>) -> Self {
        Self::Str(SmolStr::new(text))
    }

    /// An ordinary list.
    #[must_use]
    pub fn list(items: Vec<Value>) -> Self {
        Self::List(List::new(items))
    }

    /// The member of a map; `None` for other values and missing keys.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Value> {
        match self {
            Self::Map(map) => map.get(key),
            _ => None,
        }
    }

    /// True for nil, for an unset root and for a nil list: what `??` replaces.
    #[must_use]
    pub fn is_nil(&self) -> bool {
        match self {
            Self::Nil | Self::Native(Native::UnsetRoot) => true,
            Self::List(list) => list.kind() == ListKind::NilStrings,
            _ => false,
        }
    }

    /// The text, if it is one.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::Str(text) => Some(text),
            _ => None,
        }
    }

    /// The bool, if it is one.
    #[must_use]
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The integer, if it is one (unsigned values wrap).
    #[must_use]
    pub fn as_int(&self) -> Option<i64> {
        match self {
            Self::Int(value) => Some(*value),
            #[expect(clippy::cast_possible_wrap, reason = "the language wraps")]
            Self::Uint(value) => Some(*value as i64),
            _ => None,
        }
    }

    /// The number as a double, if it is a number.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "the language converts so")]
    pub fn as_float(&self) -> Option<f64> {
        match self {
            Self::Int(value) => Some(*value as f64),
            Self::Uint(value) => Some(*value as f64),
            Self::Float(value) => Some(*value),
            _ => None,
        }
    }

    /// The map, if it is one.
    #[must_use]
    pub fn as_map(&self) -> Option<&Map> {
        match self {
            Self::Map(map) => Some(map),
            _ => None,
        }
    }

    /// The list, if it is one.
    #[must_use]
    pub fn as_list(&self) -> Option<&List> {
        match self {
            Self::List(list) => Some(list),
            _ => None,
        }
    }

    /// How many levels of lists and maps it has; a scalar has none.
    #[must_use]
    pub fn depth(&self) -> u16 {
        match self {
            Self::List(list) => list.depth(),
            Self::Map(map) => map.depth(),
            _ => 0,
        }
    }
}

/// Structural identity: the same kind and the same content; `3` and `3.0` differ, `Int(3)` and `Uint(3)` do not. The `==` of the languages is looser
/// and lives with the evaluators.
impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Nil, Self::Nil) => true,
            (Self::Bool(a), Self::Bool(b)) => a == b,
            (Self::Int(_) | Self::Uint(_), Self::Int(_) | Self::Uint(_)) => self.as_int() == other.as_int(),
            (Self::Float(a), Self::Float(b)) => a == b,
            (Self::Str(a), Self::Str(b)) => a == b,
            (Self::List(a), Self::List(b)) => a.items() == b.items(),
            (Self::Map(a), Self::Map(b)) => a == b,
            (Self::Native(a), Self::Native(b)) => a == b,
            _ => false,
        }
    }
}
