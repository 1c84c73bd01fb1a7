//! Filters on lists and texts as lists of characters.

use super::{Filtered, refused};
use crate::eval::truncate;
use crate::functions::parse_float;
use crate::template::p::value::{P, Pv};
use crate::value::{List, ListKind, Value};

pub(super) fn first(input: &P) -> P {
    if input.can_slice() && input.len() > 0 {
        input.index(0)
    } else {
        P::from("")
    }
}

pub(super) fn last(input: &P) -> P {
    match input.len() {
        length if length > 0 && input.can_slice() => input.index(length - 1),
        _ => P::from(""),
    }
}

pub(super) fn join(input: &P, argument: &P) -> P {
    let separator = argument.text();
    let mut out = String::new();
    match &input.v {
        Pv::Value(Value::List(list)) => {
            for (index, item) in list.iter().enumerate() {
                if index > 0 {
                    out.push_str(&separator);
                }
                out.push_str(&P::from(item.clone()).text());
            }
        }
        Pv::Value(Value::Str(text)) => {
            for (index, c) in text.chars().enumerate() {
                if index > 0 {
                    out.push_str(&separator);
                }
                out.push(c);
            }
        }
        _ => return input.clone(),
    }
    P::from(out)
}

fn strings(items: Vec<Value>) -> P {
    Value::List(List::with_kind(ListKind::Strings, items)).into()
}

pub(super) fn split(input: &P, argument: &P) -> P {
    let separator = argument.text();
    if separator.is_empty() {
        return characters(input);
    }
    strings(input.text().split(separator.as_ref()).map(Value::text).collect())
}

pub(super) fn characters(input: &P) -> P {
    strings(
        input
            .text()
            .chars()
            .map(|c| Value::text(c.encode_utf8(&mut [0; 4])))
            .collect(),
    )
}

pub(super) fn reverse(input: &P) -> P {
    match &input.v {
        Pv::Value(Value::Str(text)) => P::from(text.chars().rev().collect::<String>()),
        Pv::Value(Value::List(list)) => {
            let items = list.iter().rev().cloned().collect();
            Value::List(List::with_kind(ListKind::Bare, items)).into()
        }
        _ => input.clone(),
    }
}

/// `from:to`: both may be left out, negative ones count from the end, all are clamped.
pub(super) fn slice(input: &P, argument: &P) -> Filtered {
    let bounds = argument.text();
    let mut parts = bounds.split(':');
    let (Some(from), Some(to), None) = (parts.next(), parts.next(), parts.next()) else {
        return Err(refused(
            "`slice` takes two bounds with a colon between them: `slice:\"1:3\"`",
        ));
    };
    if !input.can_slice() {
        return Ok(input.clone());
    }
    let length = i64::try_from(input.len()).unwrap_or(i64::MAX);
    let number = |text: &str| parse_float(text).map_or(0, truncate);
    let from_end = |bound: i64| {
        if bound < 0 {
            length.saturating_add(bound).max(0)
        } else {
            bound
        }
    };
    let start = from_end(number(from)).min(length);
    let end = if to.trim().is_empty() {
        length
    } else {
        from_end(number(to))
    };
    let end = end.max(start);
    let end = if end <= length { end } else { length };
    let (start, end) = (usize::try_from(start).unwrap_or(0), usize::try_from(end).unwrap_or(0));
    Ok(match &input.v {
        Pv::Value(Value::List(list)) => {
            let items = list.items().get(start..end).unwrap_or_default().to_vec();
            Value::List(List::with_kind(list.kind(), items)).into()
        }
        _ => P::from(input.text().chars().skip(start).take(end - start).collect::<String>()),
    })
}
