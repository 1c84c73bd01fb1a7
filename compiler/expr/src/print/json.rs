//! Values as compact JSON: keys in byte order, `<`, `>` and `&` escaped, whole floats without a point.

use std::fmt::Write as _;

use super::float;
use crate::value::{ListKind, Native, Value};

/// Why a value has no JSON form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NoJson;

/// Deeper values have no JSON form here: they are not documents any more.
const MAX_DEPTH: u16 = 2_000;

/// The JSON text of a value.
pub(crate) fn to_json(value: &Value) -> Result<String, NoJson> {
    if value.depth() > MAX_DEPTH {
        return Err(NoJson);
    }
    let mut out = String::new();
    write(value, &mut out)?;
    Ok(out)
}

fn write(value: &Value, out: &mut String) -> Result<(), NoJson> {
    match value {
        Value::Nil => out.push_str("null"),
        Value::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Value::Int(value) => {
            let _ = write!(out, "{value}");
        }
        Value::Uint(value) => {
            let _ = write!(out, "{value}");
        }
        Value::Float(value) => out.push_str(&float::json(*value).ok_or(NoJson)?),
        Value::Str(text) => quote(text, out),
        Value::List(list) if list.kind() == ListKind::NilStrings => out.push_str("null"),
        Value::List(list) if list.kind() == ListKind::Bytes => {
            quote(&base64(list.iter().filter_map(Value::as_int)), out);
        }
        Value::List(list) => {
            out.push('[');
            for (index, item) in list.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write(item, out)?;
            }
            out.push(']');
        }
        Value::Map(map) => {
            out.push('{');
            for (index, (key, item)) in map.sorted().into_iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                quote(key, out);
                out.push(':');
                write(item, out)?;
            }
            out.push('}');
        }
        Value::Native(native) => match native {
            Native::UnsetRoot => out.push_str("null"),
            Native::Run { id, turn } => {
                out.push_str("{\"ID\":");
                quote(id, out);
                let _ = write!(out, ",\"Turn\":{turn}}}");
            }
            Native::Time(time) => quote(&super::time::rfc3339(*time), out),
            Native::Duration(nanos) => {
                let _ = write!(out, "{nanos}");
            }
            Native::Helper { .. } | Native::Environment(_) => return Err(NoJson),
        },
    }
    Ok(())
}

/// A text as a JSON string, in quotes, with markup characters escaped; written to the end of `out`.
pub fn quote(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c if c < ' ' => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

fn base64(bytes: impl Iterator<Item = i64>) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let bytes: Vec<u8> = bytes.map(|byte| u8::try_from(byte & 0xff).unwrap_or(0)).collect();
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let at = |index: usize| u32::from(chunk.get(index).copied().unwrap_or(0));
        let group = at(0) << 16 | at(1) << 8 | at(2);
        for position in 0..4 {
            if position > chunk.len() {
                out.push('=');
            } else {
                let sextet = (group >> (18 - 6 * position)) & 63;
                out.push(char::from(ALPHABET.get(sextet as usize).copied().unwrap_or(b'=')));
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::{List, Map};

    #[test]
    fn keys_are_sorted_and_angle_brackets_escaped() {
        let map: Map = [("b", Value::Int(1)), ("a", Value::text("<"))].into_iter().collect();
        assert_eq!(to_json(&Value::Map(map)).unwrap(), r#"{"a":"\u003c","b":1}"#);
    }

    #[test]
    fn not_a_number_has_no_json() {
        assert_eq!(to_json(&Value::list(vec![Value::Float(f64::NAN)])), Err(NoJson));
    }

    #[test]
    fn bytes_are_base64() {
        let bytes = List::with_kind(ListKind::Bytes, vec![Value::Uint(97), Value::Uint(98)]);
        assert_eq!(to_json(&Value::List(bytes)).unwrap(), r#""YWI=""#);
    }
}
