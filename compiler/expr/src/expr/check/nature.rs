//! What is statically certain of a value (language 4.1 of the expression chapter): the types of the load check, which knows no schema.

use std::sync::Arc;

/// A static type of the load check.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Nature {
    /// Nothing is known: a plain unknown.
    Unknown,
    /// A *loose* value: unknown too, but a value of any kind may stand for it.
    Loose,
    Nil,
    Bool,
    Int,
    Float,
    Str,
    Bytes,
    /// A list of texts (`split`).
    Strings,
    /// A list with elements of one nature.
    List(Arc<Nature>),
    /// A list of which nothing else is known.
    AnyList,
    /// A root map, or a map literal.
    Map,
    /// The result of grouping.
    Groups,
    Run,
    Time,
    Duration,
    /// A view helper; true when it yields a bool.
    Helper {
        bool: bool,
    },
    /// The bare name of a built-in function.
    Builtin(&'static str),
    /// The body of a predicate and what it yields.
    Predicate(Arc<Nature>),
}

/// The kinds that operators look at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    None,
    Any,
    Bool,
    Int,
    Float,
    Str,
    List,
    Map,
    Record,
    Span,
    Function,
}

impl Nature {
    pub(crate) fn list_of(element: Nature) -> Self {
        Self::List(Arc::new(element))
    }

    pub(crate) fn kind(&self) -> Kind {
        match self {
            Self::Unknown | Self::Nil => Kind::None,
            Self::Loose => Kind::Any,
            Self::Bool => Kind::Bool,
            Self::Int => Kind::Int,
            Self::Float => Kind::Float,
            Self::Str => Kind::Str,
            Self::Bytes | Self::Strings | Self::List(_) | Self::AnyList => Kind::List,
            Self::Map | Self::Groups => Kind::Map,
            Self::Run | Self::Time => Kind::Record,
            Self::Duration => Kind::Span,
            Self::Helper { .. } | Self::Builtin(_) | Self::Predicate(_) => Kind::Function,
        }
    }

    pub(crate) fn is_unknown(&self) -> bool {
        matches!(self, Self::Unknown | Self::Loose)
    }

    pub(crate) fn is_number(&self) -> bool {
        matches!(self, Self::Int | Self::Float)
    }

    pub(crate) fn is_list(&self) -> bool {
        self.kind() == Kind::List
    }

    /// The nature of an element, of a value of a map.
    pub(crate) fn element(&self) -> Nature {
        match self {
            Self::List(element) => (**element).clone(),
            Self::AnyList | Self::Map => Self::Loose,
            Self::Strings => Self::Str,
            Self::Bytes => Self::Int,
            Self::Groups => Self::AnyList,
            _ => Self::Unknown,
        }
    }

    /// Whether this may stand where `other` is: the same type, or anything for a loose value.
    pub(crate) fn assignable_to(&self, other: &Nature) -> bool {
        match (self, other) {
            (Self::Nil, _) => matches!(other.kind(), Kind::Any | Kind::Function | Kind::Map | Kind::List),
            (Self::Unknown, _) | (_, Self::Unknown | Self::Nil) => false,
            (_, Self::Loose) => true,
            (Self::List(_) | Self::AnyList, Self::List(_) | Self::AnyList) => true,
            _ => self == other,
        }
    }

    pub(crate) fn comparable_to(&self, other: &Nature) -> bool {
        self.is_unknown()
            || other.is_unknown()
            || *self == Self::Nil
            || *other == Self::Nil
            || self.is_number() && other.is_number()
            || self.is_list() && other.is_list()
            || self.assignable_to(other)
    }

    /// In words of stories.
    pub(crate) fn describe(&self) -> &'static str {
        match self {
            Self::Unknown | Self::Loose => "an unknown value",
            Self::Nil => "nil",
            Self::Bool => "a bool",
            Self::Int => "an integer",
            Self::Float => "a float",
            Self::Str => "a text",
            Self::Bytes => "bytes",
            Self::Strings | Self::List(_) | Self::AnyList => "a list",
            Self::Map | Self::Groups => "a map",
            Self::Run => "the run record",
            Self::Time => "a time",
            Self::Duration => "a duration",
            Self::Helper { .. } | Self::Builtin(_) => "a function",
            Self::Predicate(_) => "a predicate",
        }
    }
}

/// The nature of a root of the environment; `None` for other names.
pub(crate) fn root(name: &str) -> Option<Nature> {
    Some(match name {
        "slots" | "world" | "event" | "args" | "menu" | "prerequisites" | "result" | "state" => Nature::Map,
        "item" => Nature::Loose,
        "run" => Nature::Run,
        "available" | "blocked" => Nature::Helper { bool: true },
        "blocked_reason" | "intent_status" => Nature::Helper { bool: false },
        _ => return None,
    })
}
