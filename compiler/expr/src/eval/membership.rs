//! `in`, `contains` and their kin (language 5.5 of the expression chapter).

use super::{Fault, Outcome, compare, describe};
use crate::value::{Native, Value};

/// `needle in container`.
pub(crate) fn contains(needle: &Value, container: &Value) -> Outcome<bool> {
    match container {
        Value::Nil => Ok(false),
        Value::List(list) => Ok(list.iter().any(|item| compare::equal(item, needle))),
        Value::Map(map) => match needle {
            Value::Str(key) => Ok(map.contains_key(key)),
            Value::Nil => Ok(map.contains_key("")),
            other => Err(Fault::kind(format!("a map has texts as keys, not {}", describe(other)))),
        },
        Value::Native(Native::UnsetRoot) => match needle {
            Value::Str(_) | Value::Nil => Ok(false),
            other => Err(Fault::kind(format!("a map has texts as keys, not {}", describe(other)))),
        },
        Value::Native(Native::Run { .. }) => match needle {
            Value::Str(name) => Ok(matches!(name.as_str(), "ID" | "Turn")),
            other => Err(Fault::kind(format!(
                "a record has texts as names, not {}",
                describe(other)
            ))),
        },
        other => Err(Fault::kind(format!(
            "`in` looks into lists and maps, not into {}",
            describe(other)
        ))),
    }
}

/// `contains`, `startsWith`, `endsWith`: false when a side is nil.
pub(crate) fn texts(word: &str, a: &Value, b: &Value, test: impl FnOnce(&str, &str) -> bool) -> Outcome<bool> {
    if a.is_nil() || b.is_nil() {
        return Ok(false);
    }
    match (a, b) {
        (Value::Str(a), Value::Str(b)) => Ok(test(a, b)),
        _ => Err(Fault::kind(format!(
            "`{word}` does not work between {} and {}",
            describe(a),
            describe(b)
        ))),
    }
}
