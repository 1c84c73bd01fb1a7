//! Functions on texts.

use smol_str::SmolStr;

use super::refuse;
use crate::eval::{Fault, Outcome, text, to_int};
use crate::print;
use crate::value::{List, ListKind, Value};

fn need<'a>(function: &str, value: &'a Value) -> Outcome<&'a SmolStr> {
    match value {
        Value::Str(text) => Ok(text),
        other => Err(refuse(function, other)),
    }
}

pub(super) fn trim(x: &Value, cutset: Option<&Value>) -> Outcome {
    let x = need("trim", x)?;
    let trimmed = match cutset {
        None => x.trim(),
        Some(cutset) => {
            let cutset = need("trim", cutset)?;
            x.trim_matches(|c| cutset.contains(c))
        }
    };
    Ok(Value::text(trimmed))
}

pub(super) fn upper(x: &Value) -> Outcome {
    Ok(Value::from(text::upper(need("upper", x)?)))
}

pub(super) fn lower(x: &Value) -> Outcome {
    Ok(Value::from(text::lower(need("lower", x)?)))
}

pub(super) fn has(name: &str, x: &Value, part: &Value, test: impl FnOnce(&str, &str) -> bool) -> Outcome {
    Ok(Value::Bool(test(need(name, x)?, need(name, part)?)))
}

pub(super) fn split(x: &Value, separator: &Value, limit: Option<&Value>) -> Outcome {
    let (x, separator) = (need("split", x)?, need("split", separator)?);
    let limit = match limit {
        None => None,
        Some(limit) => match to_int(limit)? {
            0 => return Ok(Value::List(List::with_kind(ListKind::NilStrings, Vec::new()))),
            negative if negative < 0 => None,
            count => Some(usize::try_from(count).unwrap_or(usize::MAX)),
        },
    };
    let parts: Vec<Value> = match (separator.is_empty(), limit) {
        (true, limit) => characters(x, limit.unwrap_or(usize::MAX)),
        (false, None) => x.split(separator.as_str()).map(Value::text).collect(),
        (false, Some(limit)) => x.splitn(limit, separator.as_str()).map(Value::text).collect(),
    };
    Ok(Value::List(List::with_kind(ListKind::Strings, parts)))
}

/// The characters of a text; the last part holds what the limit leaves over.
fn characters(text: &str, limit: usize) -> Vec<Value> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if parts.len() + 1 >= limit {
            parts.push(Value::text(rest));
            break;
        }
        let (first, after) = rest.split_at(c.len_utf8());
        parts.push(Value::text(first));
        rest = after;
    }
    parts
}

pub(super) fn join(list: &Value, separator: Option<&Value>) -> Outcome {
    let separator = match separator {
        None => "",
        Some(separator) => need("join", separator)?.as_str(),
    };
    let Value::List(list) = list else {
        return Err(refuse("join", list));
    };
    if matches!(list.kind(), ListKind::Ints | ListKind::Bytes) {
        return Err(Fault::kind("`join` joins texts, not numbers"));
    }
    let mut out = String::new();
    for (index, item) in list.iter().enumerate() {
        if index > 0 {
            out.push_str(separator);
        }
        out.push_str(need("join", item)?);
    }
    Ok(Value::from(out))
}

pub(super) fn string(x: &Value) -> Outcome {
    match x {
        Value::Str(_) => Ok(x.clone()),
        _ => print::stringified(x)
            .map(Value::from)
            .ok_or_else(|| Fault::kind("a function has no text")),
    }
}
