//! Functions on lists, maps and values of any kind.

use super::refuse;
use crate::eval::Outcome;
use crate::value::{Native, Value};

pub(super) fn len(x: &Value) -> Outcome {
    let length = match x {
        Value::List(list) => list.len(),
        Value::Map(map) => map.len(),
        Value::Str(text) => text.chars().count(),
        Value::Native(Native::UnsetRoot) => 0,
        other => return Err(refuse("len", other)),
    };
    Ok(Value::Int(i64::try_from(length).unwrap_or(i64::MAX)))
}

pub(super) fn keys(x: &Value) -> Outcome {
    match x {
        Value::Map(map) => Ok(Value::list(
            map.sorted()
                .into_iter()
                .map(|(key, _)| Value::Str(key.clone()))
                .collect(),
        )),
        Value::Native(Native::UnsetRoot) => Ok(Value::list(Vec::new())),
        other => Err(refuse("keys", other)),
    }
}

pub(super) fn type_name(x: &Value) -> &'static str {
    match x {
        Value::Nil => "nil",
        Value::Bool(_) => "bool",
        Value::Int(_) => "int",
        Value::Uint(_) => "uint",
        Value::Float(_) => "float",
        Value::Str(_) => "string",
        Value::List(_) => "array",
        Value::Map(_) => "map",
        Value::Native(native) => match native {
            Native::UnsetRoot => "map",
            Native::Run { .. } => "kitsoki/internal/expr.RunCtx",
            Native::Helper { .. } => "func",
            Native::Time(_) => "time.Time",
            Native::Duration(_) => "time.Duration",
            Native::Environment(_) => "kitsoki/internal/expr.Env",
        },
    }
}
