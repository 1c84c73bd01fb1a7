//! Operators on values: what expressions do when they run (language 5 of the expression chapter).
//!
//! Everything here takes values and gives a value or a [`Fault`]; the machine adds the place.

pub(crate) mod access;
pub(crate) mod arithmetic;
pub(crate) mod compare;
pub(crate) mod machine;
pub(crate) mod membership;
pub(crate) mod pattern;
pub(crate) mod text;

use crate::ErrorClass;
use crate::value::{ListKind, Native, Value};

/// Why an operation failed: class and words, without a place.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Fault {
    pub(crate) class: ErrorClass,
    pub(crate) message: String,
}

impl Fault {
    pub(crate) fn new(class: ErrorClass, message: impl Into<String>) -> Self {
        Self {
            class,
            message: message.into(),
        }
    }

    pub(crate) fn kind(message: impl Into<String>) -> Self {
        Self::new(ErrorClass::Type, message)
    }
}

pub(crate) type Outcome<T = Value> = Result<T, Fault>;

/// A value in the words of stories: "nil", "a text", "the integer 3".
pub(crate) fn describe(value: &Value) -> &'static str {
    match value {
        Value::Nil => "nil",
        Value::Bool(_) => "a bool",
        Value::Int(_) | Value::Uint(_) => "an integer",
        Value::Float(_) => "a float",
        Value::Str(_) => "a text",
        Value::List(list) if list.kind() == ListKind::Bytes => "bytes",
        Value::List(_) => "a list",
        Value::Map(_) => "a map",
        Value::Native(native) => match native {
            Native::UnsetRoot => "a root that is not set here",
            Native::Run { .. } => "the run record",
            Native::Helper { .. } => "a function",
            Native::Time(_) => "a time",
            Native::Duration(_) => "a duration",
            Native::Environment(_) => "the environment",
        },
    }
}

/// The integer for an index, a bound, a count: numbers lose their fraction.
pub(crate) fn to_int(value: &Value) -> Outcome<i64> {
    match value {
        Value::Int(_) | Value::Uint(_) => Ok(value.as_int().unwrap_or_default()),
        Value::Float(value) => Ok(truncate(*value)),
        other => Err(Fault::new(
            ErrorClass::Convert,
            format!("an integer is needed here, not {}", describe(other)),
        )),
    }
}

/// A double without its fraction; out of range it is the smallest integer, as on the reference's machine.
pub(crate) fn truncate(value: f64) -> i64 {
    // 2^63 as a double: the first value that does not fit.
    const LIMIT: f64 = 9_223_372_036_854_775_808.0;
    if value.is_nan() || !(-LIMIT..LIMIT).contains(&value) {
        return i64::MIN;
    }
    #[expect(clippy::cast_possible_truncation, reason = "the range is checked above")]
    let whole = value as i64;
    whole
}
