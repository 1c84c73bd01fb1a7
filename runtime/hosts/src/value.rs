//! Between the values of stories, of JSON and of scripts.

use kitsoki_expr::{Map, Native, Value};
use serde_json::{Number, Value as Json};

use crate::call::Data;

/// A story's value as JSON: integers stay integers, a whole float keeps its point. Not-a-number and the infinities become
/// texts, as everywhere outside of expressions; functions become nothing.
pub fn to_json(value: &Value) -> Json {
    match value {
        Value::Nil => Json::Null,
        Value::Bool(b) => Json::Bool(*b),
        Value::Int(i) => Json::from(*i),
        Value::Uint(u) => Json::from(*u),
        Value::Float(f) => float(*f),
        Value::Str(s) => Json::String(s.to_string()),
        Value::List(list) => Json::Array(list.iter().map(to_json).collect()),
        Value::Map(map) => Json::Object(to_data(map)),
        Value::Native(Native::UnsetRoot) => Json::Null,
        Value::Native(_) => kitsoki_expr::print::stringified(value).map_or(Json::Null, Json::String),
    }
}

fn float(f: f64) -> Json {
    match Number::from_f64(f) {
        Some(n) => Json::Number(n),
        None if f.is_nan() => Json::from("NaN"),
        None if f > 0.0 => Json::from("+Inf"),
        None => Json::from("-Inf"),
    }
}

/// A story's map as data.
pub fn to_data(map: &Map) -> Data {
    map.iter().map(|(k, v)| (k.to_string(), to_json(v))).collect()
}

/// JSON as a story's value: a number without point and exponent is an integer, a larger one than 64 bits a float.
pub fn from_json(json: &Json) -> Value {
    match json {
        Json::Null => Value::Nil,
        Json::Bool(b) => Value::Bool(*b),
        Json::Number(n) => match (n.as_i64(), n.as_f64()) {
            (Some(i), _) => Value::Int(i),
            (None, f) => Value::Float(f.unwrap_or(f64::NAN)),
        },
        Json::String(s) => Value::text(s),
        Json::Array(items) => Value::list(items.iter().map(from_json).collect()),
        Json::Object(map) => Value::Map(from_data(map)),
    }
}

/// Data as a story's map.
pub fn from_data(data: &Data) -> Map {
    let mut map = Map::new();
    for (key, value) in data {
        map.insert(key.as_str(), from_json(value));
    }
    map
}

/// JSON with escapes of half a surrogate pair replaced: JSON allows them, no text can hold them.
pub fn whole(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    let mut rest = json;
    let unit = |text: &str| u32::from_str_radix(text.strip_prefix("\\u")?.get(..4)?, 16).ok();
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        out.push_str(before);
        let low = || matches!(escape.get(6..).and_then(unit), Some(0xdc00..=0xdfff));
        let length = match unit(escape) {
            Some(0xd800..=0xdbff) if low() => 12,
            Some(0xd800..=0xdfff) => {
                out.push_str("\\ufffd");
                rest = escape.get(6..).unwrap_or_default();
                continue;
            }
            Some(_) => 6,
            None => 1 + escape.chars().nth(1).map_or(0, char::len_utf8),
        };
        out.push_str(escape.get(..length).unwrap_or(escape));
        rest = escape.get(length..).unwrap_or_default();
    }
    out.push_str(rest);
    out
}

/// The value with every number a float.
pub fn floats(json: Json) -> Json {
    match json {
        Json::Number(n) => n.as_f64().map_or(Json::Null, float),
        Json::Array(items) => Json::Array(items.into_iter().map(floats).collect()),
        Json::Object(map) => Json::Object(map.into_iter().map(|(k, v)| (k, floats(v))).collect()),
        other => other,
    }
}

/// A value as programs get it in an argument: null as nothing, scalars plainly, lists and maps as compact JSON.
pub fn argument(json: &Json) -> String {
    match json {
        Json::String(s) => s.clone(),
        _ => kitsoki_expr::print::interpolated(&from_json(json)).unwrap_or_default(),
    }
}

/// A value as JSON with an indentation of two, keys sorted.
pub fn indented(json: &Json) -> String {
    let mut out = String::new();
    write(json, 0, &mut out);
    out
}

fn write(json: &Json, depth: usize, out: &mut String) {
    let line = |out: &mut String, depth: usize| {
        out.push('\n');
        out.push_str(&"  ".repeat(depth));
    };
    match json {
        Json::Array(items) if !items.is_empty() => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                line(out, depth + 1);
                write(item, depth + 1, out);
            }
            line(out, depth);
            out.push(']');
        }
        Json::Object(map) if !map.is_empty() => {
            let mut entries: Vec<_> = map.iter().collect();
            entries.sort_by(|a, b| a.0.cmp(b.0));
            out.push('{');
            for (i, (key, value)) in entries.into_iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                line(out, depth + 1);
                out.push_str(&compact(&Json::String(key.clone())));
                out.push_str(": ");
                write(value, depth + 1, out);
            }
            line(out, depth);
            out.push('}');
        }
        other => out.push_str(&compact(other)),
    }
}

/// A value as compact JSON, keys sorted, `<`, `>` and `&` escaped.
pub fn compact(json: &Json) -> String {
    // A list prints as JSON whatever it holds, so one around the value gives the same rules for scalars.
    let listed = Value::list(vec![from_json(json)]);
    let text = kitsoki_expr::print::interpolated(&listed).unwrap_or_default();
    text.strip_prefix('[')
        .and_then(|t| t.strip_suffix(']'))
        .unwrap_or_default()
        .to_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn arguments_print_as_programs_expect_them() {
        for (value, want) in [
            (json!(null), ""),
            (json!(1_000_000), "1000000"),
            (json!(1_000_000.0), "1e+06"),
            (json!(3.0), "3"),
            (json!({"k": 1, "a": [1.0, "<"]}), r#"{"a":[1,"\u003c"],"k":1}"#),
        ] {
            assert_eq!(argument(&value), want);
        }
    }

    #[test]
    fn indented_json_sorts_its_keys() {
        let text = indented(&json!({"b": [], "a": [1, {"x": null}]}));
        assert_eq!(
            text,
            "{\n  \"a\": [\n    1,\n    {\n      \"x\": null\n    }\n  ],\n  \"b\": []\n}"
        );
    }

    #[test]
    fn values_go_there_and_back() {
        let json = json!({"i": 3, "f": 3.0, "l": [true, null, "x"]});
        assert_eq!(to_json(&from_json(&json)), json);
    }
}
