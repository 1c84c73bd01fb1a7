//! Values as JSON text, without recursion: the depth of a value is the text's.

use super::Value;

/// A collection that is being written.
enum Open<'v> {
    List(std::slice::Iter<'v, Value>),
    Map(std::slice::Iter<'v, (smol_str::SmolStr, Value)>),
}

/// The whole value as one line.
pub(super) fn write(value: &Value) -> String {
    let mut out = String::new();
    let mut open: Vec<Open<'_>> = Vec::new();
    let mut next = Some(value);
    while let Some(value) = next.take() {
        start(value, &mut out, &mut open);
        // Writes the ends of all collections that are done, and finds the next part of the innermost that is not.
        while let Some(top) = open.last_mut() {
            let comma = !out.ends_with(['[', '{']);
            next = match top {
                Open::List(items) => items.next(),
                Open::Map(entries) => entries.next().map(|(name, value)| {
                    if comma {
                        out.push(',');
                    }
                    text(name, &mut out);
                    out.push(':');
                    value
                }),
            };
            match (next, top) {
                (Some(_), Open::List(_)) if comma => out.push(','),
                (Some(_), _) => {}
                (None, Open::List(_)) => out.push(']'),
                (None, Open::Map(_)) => out.push('}'),
            }
            if next.is_some() {
                break;
            }
            open.pop();
        }
    }
    out
}

fn start<'v>(value: &'v Value, out: &mut String, open: &mut Vec<Open<'v>>) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Value::Int(value) => out.push_str(&value.to_string()),
        Value::Uint(value) => out.push_str(&value.to_string()),
        Value::Float(value) => match Value::finite(*value) {
            Some(digits) => out.push_str(&digits),
            None => text(&Value::not_finite(*value), out),
        },
        Value::Text(value) => text(value, out),
        Value::List(items) => {
            out.push('[');
            open.push(Open::List(items.iter()));
        }
        Value::Map(entries) => {
            out.push('{');
            open.push(Open::Map(entries.iter()));
        }
    }
}

fn text(value: &str, out: &mut String) {
    out.push('"');
    for c in value.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\0'..' ' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            _ => out.push(c),
        }
    }
    out.push('"');
}
