//! `x.name`: methods of texts, lists and dicts, attributes of `ctx` and of modules.

use std::cell::RefCell;
use std::rc::Rc;

use super::value::{Builtin, Code, Value};
use crate::fault::{Class, Fault, Res};
use crate::library::{Method, methods};

fn table(value: &Value) -> &'static [Method] {
    match value {
        Value::Text(_) => methods::TEXT,
        Value::Bytes(_) => methods::BYTES,
        Value::List(_) => methods::LIST,
        Value::Dict(_) => methods::DICT,
        _ => &[],
    }
}

/// The attribute, when there is one.
pub(crate) fn find(object: &Value, name: &str) -> Option<Value> {
    if let Value::Record(record) = object {
        return record
            .fields
            .borrow()
            .iter()
            .find(|(n, _)| *n == name)
            .map(|(_, v)| v.clone());
    }
    let method = table(object).iter().find(|m| m.name == name)?;
    let builtin = Builtin {
        name: method.name,
        receiver: RefCell::new(Some(object.clone())),
        code: Code::Plain(method.code),
    };
    Some(Value::Builtin(Rc::new(builtin)))
}

/// The names of all attributes, sorted.
pub(crate) fn names(object: &Value) -> Vec<&'static str> {
    let mut names: Vec<&'static str> = match object {
        Value::Record(record) => record.fields.borrow().iter().map(|(n, _)| *n).collect(),
        other => table(other).iter().map(|m| m.name).collect(),
    };
    names.sort_unstable();
    names
}

/// `object.name`.
pub(crate) fn get(object: &Value, name: &str) -> Res<Value> {
    if let Some(value) = find(object, name) {
        return Ok(value);
    }
    let what = if object.kind() == "struct" {
        "attribute"
    } else {
        "field or method"
    };
    let mut text = format!("{} has no .{name} {what}", object.kind());
    if let Some(near) = nearest(name, &names(object)) {
        text.push_str(&format!(" (did you mean .{near}?)"));
    }
    // `ctx` is the only struct: what it could have and has not was not granted.
    let granted = object.kind() != "struct" || !["fs", "host", "http", "probe", "world"].contains(&name);
    Err(Fault::new(
        if granted { Class::Runtime } else { Class::NotGranted },
        text,
    ))
}

/// The name that differs from what was written in at most a third of its letters.
fn nearest(name: &str, names: &[&'static str]) -> Option<&'static str> {
    let bound = name.len().div_ceil(3).min(4);
    names
        .iter()
        .map(|n| (distance(name, n), *n))
        .filter(|(d, _)| *d <= bound && *d < name.len())
        .min()
        .map(|(_, n)| n)
}

fn distance(a: &str, b: &str) -> usize {
    // Attribute names are short; a name that is not need not be compared letter by letter.
    if a.len() > 40 {
        return usize::MAX;
    }
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut next = vec![i + 1];
        for (y, pair) in b.iter().zip(row.windows(2)) {
            let [diagonal, above] = pair else { continue };
            let left = next.last().copied().unwrap_or(0);
            next.push((diagonal + usize::from(x != *y)).min(above + 1).min(left + 1));
        }
        row = next;
    }
    row.last().copied().unwrap_or(0)
}
