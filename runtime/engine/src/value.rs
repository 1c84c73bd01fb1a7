//! Values on their way through an engine: out of the IR, into the log and back, into texts.
//!
//! The world of a session is the fold of its log, and a log is JSON: what has been through it lost the difference between
//! `3` and `3.0` (`expressions` 2, `trace` 8.2). [`logged`] is that way without the text in between.

use kitsoki_expr::{List, Map, Value, print};
use kitsoki_ir as ir;
use serde_json::Value as Json;

/// A literal of the IR as a story sees it. Templates inside become their id-less nothing; resolve them before.
#[must_use]
pub fn literal(value: &ir::Value) -> Value {
    match value {
        ir::Value::Null | ir::Value::Template(_) => Value::Nil,
        ir::Value::Bool(b) => Value::Bool(*b),
        ir::Value::Int(n) => u64::try_from(*n).map_or(Value::Int(*n), Value::Uint),
        ir::Value::Uint(n) => Value::Uint(*n),
        ir::Value::Float(n) => Value::Float(*n),
        ir::Value::Text(text) => Value::Str(text.clone()),
        ir::Value::List(items) => Value::list(items.iter().map(literal).collect()),
        ir::Value::Map(entries) => Value::Map(entries.iter().map(|(k, v)| (k.clone(), literal(v))).collect()),
    }
}

/// The value as it comes back from the log: whole and broken numbers are floats, lists are ordinary ones, what JSON does
/// not have is nothing.
#[must_use]
pub fn logged(value: &Value) -> Value {
    match value {
        Value::Int(n) => Value::Float(*n as f64),
        Value::Uint(n) => Value::Float(*n as f64),
        Value::List(list) => Value::list(list.iter().map(logged).collect()),
        Value::Map(map) => Value::Map(map.iter().map(|(k, v)| (k.clone(), logged(v))).collect()),
        Value::Native(_) => Value::Nil,
        Value::Float(n) if !n.is_finite() => Value::Nil,
        other => other.clone(),
    }
}

/// JSON of a value, with keys in their order; the writer of a trace sorts them.
#[must_use]
pub fn to_json(value: &Value) -> Json {
    match value {
        Value::Nil | Value::Native(_) => Json::Null,
        Value::Bool(b) => Json::Bool(*b),
        Value::Int(n) => Json::from(*n),
        Value::Uint(n) => Json::from(*n),
        Value::Float(n) => float(*n),
        Value::Str(text) => Json::String(text.to_string()),
        Value::List(list) => Json::Array(list.iter().map(to_json).collect()),
        Value::Map(map) => Json::Object(map.iter().map(|(k, v)| (k.to_string(), to_json(v))).collect()),
    }
}

/// A float as JSON: whole ones print without a fraction.
fn float(n: f64) -> Json {
    if n.fract() == 0.0 && n.abs() < 9.0e15 {
        return Json::from(n as i64);
    }
    serde_json::Number::from_f64(n).map_or(Json::Null, Json::Number)
}

/// A value of JSON; whole numbers stay integers, as a reader of YAML makes them.
#[must_use]
pub fn from_json(json: &Json) -> Value {
    match json {
        Json::Null => Value::Nil,
        Json::Bool(b) => Value::Bool(*b),
        Json::Number(n) => match (n.as_u64(), n.as_i64()) {
            (Some(n), _) => Value::Uint(n),
            (None, Some(n)) => Value::Int(n),
            (None, None) => Value::Float(n.as_f64().unwrap_or_default()),
        },
        Json::String(text) => Value::text(text),
        Json::Array(items) => Value::list(items.iter().map(from_json).collect()),
        Json::Object(entries) => Value::Map(entries.iter().map(|(k, v)| (k.as_str(), from_json(v))).collect()),
    }
}

/// Equality as fixtures, cassettes and slots see it: that of the JSON texts, so that `2` and `2.0` are equal and nothing
/// equals nothing.
#[must_use]
pub fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Nil | Value::Native(_), Value::Nil | Value::Native(_)) => true,
        (Value::Int(_) | Value::Uint(_) | Value::Float(_), Value::Int(_) | Value::Uint(_) | Value::Float(_)) => {
            match (a.as_int(), b.as_int()) {
                (Some(x), Some(y)) => x == y,
                _ => a.as_float() == b.as_float(),
            }
        }
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::Str(a), Value::Str(b)) => a == b,
        (Value::List(a), Value::List(b)) => a.len() == b.len() && a.iter().zip(b.iter()).all(|(x, y)| same(x, y)),
        (Value::Map(a), Value::Map(b)) => {
            a.len() == b.len() && a.iter().all(|(key, x)| b.get(key).is_some_and(|y| same(x, y)))
        }
        _ => false,
    }
}

/// The text of a value as the `string()` function prints it: what slots and ids are compared and joined by.
#[must_use]
pub fn text(value: &Value) -> String {
    print::stringified(value).unwrap_or_default()
}

/// Whether a value counts as set for `once` and for the phases of an operation: not nothing, not an empty text, list or map.
#[must_use]
pub fn is_set(value: &Value) -> bool {
    match value {
        Value::Str(text) => !text.is_empty(),
        Value::List(list) => !list.is_empty(),
        Value::Map(map) => !map.is_empty(),
        other => !other.is_nil(),
    }
}

/// A truthy value, as guards of view elements see it (`expressions` 11.2).
#[must_use]
pub fn truthy(value: &Value) -> bool {
    match value {
        Value::Bool(b) => *b,
        // A whole number that was never rewritten counts as true whatever it says.
        Value::Uint(_) => true,
        Value::Int(n) => *n != 0,
        Value::Float(n) => *n != 0.0,
        Value::Str(text) => !text.is_empty(),
        Value::List(list) => !list.is_empty(),
        Value::Map(map) => !map.is_empty(),
        Value::Nil => false,
        Value::Native(_) => true,
    }
}

/// The number that `increment` starts from: floats lose their fraction, anything else is 0.
#[must_use]
pub fn number(value: Option<&Value>) -> i64 {
    match value {
        Some(Value::Int(n)) => *n,
        Some(Value::Uint(n)) => i64::try_from(*n).unwrap_or(i64::MAX),
        Some(Value::Float(n)) => *n as i64,
        _ => 0,
    }
}

/// A list of texts.
pub fn texts<T: AsRef<str>>(items: impl IntoIterator<Item = T>) -> Value {
    Value::List(List::new(items.into_iter().map(Value::text).collect()))
}

/// A map from pairs.
pub fn map<const N: usize>(entries: [(&str, Value); N]) -> Map {
    entries.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_makes_floats_of_whole_numbers_at_every_depth() {
        let value = Value::list(vec![Value::Uint(2), Value::Map(map([("n", Value::Int(-3))]))]);
        let back = logged(&value);
        assert_eq!(
            back,
            Value::list(vec![Value::Float(2.0), Value::Map(map([("n", Value::Float(-3.0))]))])
        );
        assert!(same(&value, &back));
    }

    #[test]
    fn equality_is_that_of_json() {
        assert!(same(&Value::Int(2), &Value::Float(2.0)));
        assert!(!same(&Value::Int(2), &Value::text("2")));
        assert!(!same(&Value::list(vec![]), &Value::Nil));
        assert!(!same(&Value::Bool(true), &Value::Int(1)));
        assert!(same(
            &Value::Map(map([("a", Value::Int(1)), ("b", Value::Nil)])),
            &Value::Map(map([("b", Value::Nil), ("a", Value::Uint(1))]))
        ));
    }

    #[test]
    fn set_means_something_is_there() {
        assert!(is_set(&Value::Int(0)) && is_set(&Value::Bool(false)));
        assert!(!is_set(&Value::Nil) && !is_set(&Value::text("")) && !is_set(&Value::list(vec![])));
    }
}
