//! JSON as traces write it: keys in byte order, whole numbers without a fraction, markup characters escaped (`trace` 3).

use kitsoki_expr::Value;
use kitsoki_expr::print::json_string;

/// A value as one line of JSON.
#[must_use]
pub fn sorted(value: &Value) -> String {
    let mut out = String::new();
    write(value, &mut out);
    out
}

fn write(value: &Value, out: &mut String) {
    match value {
        Value::Nil | Value::Native(_) => out.push_str("null"),
        Value::Bool(b) => out.push_str(if *b { "true" } else { "false" }),
        Value::Int(n) => out.push_str(&n.to_string()),
        Value::Uint(n) => out.push_str(&n.to_string()),
        Value::Float(n) => float(*n, out),
        Value::Str(text) => json_string(text, out),
        Value::List(list) => {
            out.push('[');
            for (n, item) in list.iter().enumerate() {
                if n > 0 {
                    out.push(',');
                }
                write(item, out);
            }
            out.push(']');
        }
        Value::Map(map) => {
            out.push('{');
            for (n, (key, item)) in map.sorted().into_iter().enumerate() {
                if n > 0 {
                    out.push(',');
                }
                json_string(key, out);
                out.push(':');
                write(item, out);
            }
            out.push('}');
        }
    }
}

/// Shortest digits; an exponent outside of [1e-6, 1e21); nothing for what JSON does not have.
fn float(n: f64, out: &mut String) {
    if !n.is_finite() {
        out.push_str("null");
    } else if n == 0.0 || (1e-6..1e21).contains(&n.abs()) {
        out.push_str(&n.to_string());
    } else {
        let text = format!("{n:e}");
        match text.split_once('e') {
            Some((digits, exponent)) if !exponent.starts_with('-') => out.push_str(&format!("{digits}e+{exponent}")),
            _ => out.push_str(&text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::map;

    #[test]
    fn keys_are_sorted_and_numbers_short() {
        let value = Value::Map(map([
            ("b", Value::Float(3.0)),
            (
                "a",
                Value::list(vec![Value::Float(1e21), Value::Float(1e-7), Value::text("<é\u{1b}")]),
            ),
        ]));
        assert_eq!(sorted(&value), "{\"a\":[1e+21,1e-7,\"\\u003cé\\u001b\"],\"b\":3}");
    }
}
