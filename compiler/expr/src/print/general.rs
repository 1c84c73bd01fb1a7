//! Values as `string()` and interpolation without JSON print them: `[a b]`, `map[k:v]`, `<nil>`.

use std::fmt::Write as _;

use super::{float, time};
use crate::value::{Native, Value};

/// The general form of a value; `None` for a function, which has no text.
pub(crate) fn general(value: &Value) -> Option<String> {
    let mut out = String::new();
    write(value, &mut out)?;
    Some(out)
}

fn write(value: &Value, out: &mut String) -> Option<()> {
    match value {
        Value::Nil => out.push_str("<nil>"),
        Value::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Value::Int(value) => {
            let _ = write!(out, "{value}");
        }
        Value::Uint(value) => {
            let _ = write!(out, "{value}");
        }
        Value::Float(value) => out.push_str(&float::general(*value)),
        Value::Str(text) => out.push_str(text),
        Value::List(list) => {
            out.push('[');
            for (index, item) in list.iter().enumerate() {
                if index > 0 {
                    out.push(' ');
                }
                write(item, out)?;
            }
            out.push(']');
        }
        Value::Map(map) => {
            out.push_str("map[");
            for (index, (key, item)) in map.sorted().into_iter().enumerate() {
                if index > 0 {
                    out.push(' ');
                }
                out.push_str(key);
                out.push(':');
                write(item, out)?;
            }
            out.push(']');
        }
        Value::Native(native) => match native {
            Native::UnsetRoot => out.push_str("map[]"),
            Native::Run { id, turn } => {
                let _ = write!(out, "{{{id} {turn}}}");
            }
            Native::Time(nanos) => out.push_str(&time::default_form(*nanos)),
            Native::Duration(nanos) => out.push_str(&time::duration(*nanos)),
            Native::Helper { .. } | Native::Environment(_) => return None,
        },
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_values_print_like_go() {
        let list = Value::list(vec![Value::Int(1), Value::Nil, Value::list(vec![Value::text("a b")])]);
        assert_eq!(general(&list).unwrap(), "[1 <nil> [a b]]");
    }
}
