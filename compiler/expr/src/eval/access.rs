//! Members, indexes and slices.

use super::{Fault, Outcome, describe, text, to_int};
use crate::ErrorClass;
use crate::value::{List, ListKind, Native, Value};

/// `base[key]` and `base.key`.
pub(crate) fn fetch(base: &Value, key: &Value) -> Outcome {
    match base {
        Value::Nil => Err(Fault::new(ErrorClass::NilAccess, "")),
        Value::List(list) => {
            let index = to_int(key)?;
            element(list.len(), index)
                .and_then(|index| list.get(index))
                .cloned()
                .ok_or_else(|| out_of_range(index, list.len()))
        }
        Value::Str(text) => {
            let index = to_int(key)?;
            element(text.len(), index)
                .and_then(|index| text.as_bytes().get(index))
                .map(|byte| Value::Uint(u64::from(*byte)))
                .ok_or_else(|| out_of_range(index, text.len()))
        }
        Value::Map(map) => Ok(map.get(map_key(key)?).cloned().unwrap_or_default()),
        Value::Native(Native::UnsetRoot) => map_key(key).map(|_| Value::Nil),
        Value::Native(Native::Run { id, turn }) => match key.as_str() {
            Some("id" | "ID") => Ok(Value::Str(id.clone())),
            Some("turn" | "Turn") => Ok(Value::Int(*turn)),
            _ => Err(no_members(base)),
        },
        Value::Native(Native::Environment(env)) => match key {
            Value::Str(name) => env.root(name).ok_or_else(|| no_members(base)),
            _ => Err(Fault::kind("a root is named by a text")),
        },
        _ => Err(no_members(base)),
    }
}

/// `get(base, key)`: nil where there is nothing.
pub(crate) fn get(base: &Value, key: &Value) -> Outcome {
    match base {
        Value::List(list) => Ok(element(list.len(), to_int(key)?)
            .and_then(|index| list.get(index))
            .cloned()
            .unwrap_or_default()),
        Value::Str(text) => Ok(element(text.len(), to_int(key)?)
            .and_then(|index| text.as_bytes().get(index))
            .map_or(Value::Nil, |byte| Value::Uint(u64::from(*byte)))),
        Value::Map(_) | Value::Native(Native::UnsetRoot) => fetch(base, key),
        Value::Native(Native::Run { .. } | Native::Environment(_)) => match key {
            Value::Str(_) => Ok(fetch(base, key).unwrap_or_default()),
            other => Err(Fault::kind(format!("a text is needed here, not {}", describe(other)))),
        },
        _ => Ok(Value::Nil),
    }
}

/// `base[from:to]`: negative bounds count from the end, all are clamped.
pub(crate) fn slice(base: &Value, from: &Value, to: &Value) -> Outcome {
    let length = match base {
        Value::List(list) => list.len(),
        Value::Str(text) => text.len(),
        other => return Err(Fault::kind(format!("{} has no parts to take", describe(other)))),
    };
    let (from, to) = (to_int(from)?, to_int(to)?);
    let size = i64::try_from(length).unwrap_or(i64::MAX);
    let start = if from < 0 {
        size.saturating_add(from).max(0)
    } else {
        from
    };
    let end = if to < 0 {
        size.saturating_add(to).max(0)
    } else {
        to.min(size)
    };
    let start = start.min(end);
    let (start, end) = (usize::try_from(start).unwrap_or(0), usize::try_from(end).unwrap_or(0));
    Ok(match base {
        Value::List(list) => {
            let items = list.items().get(start..end).unwrap_or_default().to_vec();
            let kind = if list.kind() == ListKind::NilStrings {
                ListKind::NilStrings
            } else {
                list.kind()
            };
            Value::List(List::with_kind(kind, items))
        }
        Value::Str(whole) => Value::Str(text::from_bytes(whole.as_bytes().get(start..end).unwrap_or_default())),
        _ => Value::Nil,
    })
}

/// What a slice without an upper bound ends at.
pub(crate) fn length_for_slice(value: &Value) -> Outcome {
    let length = match value {
        Value::List(list) => list.len(),
        Value::Str(text) => text.len(),
        Value::Map(map) => map.len(),
        Value::Native(Native::UnsetRoot) => 0,
        other => return Err(Fault::kind(format!("{} has no parts to take", describe(other)))),
    };
    Ok(Value::Int(i64::try_from(length).unwrap_or(i64::MAX)))
}

/// The text that a map is asked for; nil asks for the empty text.
fn map_key(key: &Value) -> Outcome<&str> {
    match key {
        Value::Str(text) => Ok(text),
        Value::Nil => Ok(""),
        other => Err(Fault::kind(format!(
            "a map is indexed by a text, not by {}",
            describe(other)
        ))),
    }
}

fn element(length: usize, index: i64) -> Option<usize> {
    let length = i64::try_from(length).unwrap_or(i64::MAX);
    let index = if index < 0 { length.checked_add(index)? } else { index };
    usize::try_from(index).ok().filter(|_| index < length)
}

fn out_of_range(index: i64, length: usize) -> Fault {
    Fault::new(
        ErrorClass::IndexRange,
        format!("index {index} is out of range: there are {length} elements"),
    )
}

fn no_members(base: &Value) -> Fault {
    Fault::new(ErrorClass::Access, format!("{} has no members", describe(base)))
}
