//! Printing rules: how a value becomes text in each language (language 11.1 of the expression chapter).

pub(crate) mod float;
mod general;
mod json;
mod layout;
mod time;

pub(crate) use general::general;
pub use json::quote as json_string;
pub(crate) use json::to_json;
pub(crate) use layout::in_layout as time_in_layout;

use crate::value::{List, ListKind, Value};

/// A value as a T template prints it: nil as nothing, lists and maps as JSON; `None` for a function.
#[must_use]
pub fn interpolated(value: &Value) -> Option<String> {
    let document = match value {
        Value::Nil => return Some(String::new()),
        Value::Str(text) => return Some(text.to_string()),
        Value::List(list) => is_document(list),
        Value::Map(_) | Value::Native(crate::value::Native::UnsetRoot) => true,
        _ => false,
    };
    if document && let Ok(text) = to_json(value) {
        return Some(text);
    }
    general(value)
}

/// A value as `string()` prints it; `None` for a function.
#[must_use]
pub fn stringified(value: &Value) -> Option<String> {
    general(value)
}

/// Whether a list is an ordinary one, which prints as JSON.
fn is_document(list: &List) -> bool {
    matches!(list.kind(), ListKind::Any | ListKind::Bare)
}
