//! JSON schemas as far as stories use them to say what an agent must hand in: types, members, lists, ranges, patterns,
//! alternatives, and references inside the schema. A word that is not known asserts nothing, as the standard says.

use serde_json::{Map, Value as Json};

/// The deepest nesting of schemas that is followed: a reference to itself must end.
const MAX_DEPTH: usize = 64;

/// The most faults that are told.
const MAX_FAULTS: usize = 20;

/// What is wrong with a value, each with its place in it. Empty when it fits.
pub fn faults(schema: &Json, value: &Json) -> Vec<String> {
    let mut check = Check {
        root: schema,
        faults: Vec::new(),
    };
    check.value(schema, value, "", 0);
    check.faults.truncate(MAX_FAULTS);
    check.faults
}

struct Check<'a> {
    root: &'a Json,
    faults: Vec<String>,
}

impl<'a> Check<'a> {
    fn fault(&mut self, at: &str, why: impl std::fmt::Display) {
        if self.faults.len() < MAX_FAULTS {
            let at = if at.is_empty() { "the value" } else { at };
            self.faults.push(format!("{at}: {why}"));
        }
    }

    /// Whether a value fits, without telling why not.
    fn fits(&self, schema: &'a Json, value: &Json, depth: usize) -> bool {
        let mut check = Check {
            root: self.root,
            faults: Vec::new(),
        };
        check.value(schema, value, "", depth);
        check.faults.is_empty()
    }

    fn value(&mut self, schema: &'a Json, value: &Json, at: &str, depth: usize) {
        let schema = match schema {
            Json::Bool(true) => return,
            Json::Bool(false) => return self.fault(at, "nothing is allowed here"),
            Json::Object(map) => map,
            _ => return,
        };
        if depth > MAX_DEPTH || self.faults.len() >= MAX_FAULTS {
            return;
        }
        if let Some(reference) = schema.get("$ref").and_then(Json::as_str) {
            match reference.strip_prefix('#').and_then(|way| self.root.pointer(way)) {
                Some(target) => self.value(target, value, at, depth + 1),
                None => self.fault(at, format!("the schema refers to `{reference}`, which is not in it")),
            }
        }
        self.types(schema, value, at);
        self.alternatives(schema, value, at, depth);
        match value {
            Json::Object(map) => self.members(schema, map, at, depth),
            Json::Array(items) => self.items(schema, items, at, depth),
            Json::String(text) => self.text(schema, text, at),
            Json::Number(number) => self.number(schema, number.as_f64().unwrap_or(f64::NAN), at),
            Json::Null | Json::Bool(_) => {}
        }
    }

    fn types(&mut self, schema: &Map<String, Json>, value: &Json, at: &str) {
        let is = |name: &Json| match (name.as_str().unwrap_or_default(), value) {
            ("null", Json::Null)
            | ("boolean", Json::Bool(_))
            | ("string", Json::String(_))
            | ("array", Json::Array(_))
            | ("object", Json::Object(_))
            | ("number", Json::Number(_)) => true,
            ("integer", Json::Number(n)) => n.as_f64().is_some_and(|f| f.fract() == 0.0),
            _ => false,
        };
        match schema.get("type") {
            Some(Json::Array(names)) if !names.iter().any(is) => {
                let names: Vec<&str> = names.iter().filter_map(Json::as_str).collect();
                self.fault(at, format!("must be one of {}", names.join(", ")));
            }
            Some(name @ Json::String(text)) if !is(name) => self.fault(at, format!("must be of type {text}")),
            _ => {}
        }
        if let Some(Json::Array(allowed)) = schema.get("enum")
            && !allowed.iter().any(|a| same(a, value))
        {
            let shown: Vec<String> = allowed.iter().take(12).map(Json::to_string).collect();
            self.fault(at, format!("must be one of {}", shown.join(", ")));
        }
        if let Some(wanted) = schema.get("const")
            && !same(wanted, value)
        {
            self.fault(at, format!("must be {wanted}"));
        }
    }

    fn alternatives(&mut self, schema: &'a Map<String, Json>, value: &Json, at: &str, depth: usize) {
        let list = |key: &str| schema.get(key).and_then(Json::as_array);
        for part in list("allOf").into_iter().flatten() {
            self.value(part, value, at, depth + 1);
        }
        if let Some(parts) = list("anyOf")
            && !parts.iter().any(|p| self.fits(p, value, depth + 1))
        {
            self.fault(at, "fits none of the alternatives");
        }
        if let Some(parts) = list("oneOf") {
            let fitting = parts.iter().filter(|p| self.fits(p, value, depth + 1)).count();
            if fitting != 1 {
                self.fault(at, format!("fits {fitting} of the alternatives, must fit exactly one"));
            }
        }
        if let Some(part) = schema.get("not")
            && self.fits(part, value, depth + 1)
        {
            self.fault(at, "has a form that is ruled out");
        }
        if let Some(condition) = schema.get("if") {
            let branch = if self.fits(condition, value, depth + 1) {
                "then"
            } else {
                "else"
            };
            if let Some(part) = schema.get(branch) {
                self.value(part, value, at, depth + 1);
            }
        }
    }

    fn members(&mut self, schema: &'a Map<String, Json>, map: &Map<String, Json>, at: &str, depth: usize) {
        for key in schema.get("required").and_then(Json::as_array).into_iter().flatten() {
            if let Some(key) = key.as_str().filter(|k| !map.contains_key(*k)) {
                self.fault(at, format!("`{key}` is missing"));
            }
        }
        let empty = Map::new();
        let of = |key: &str| schema.get(key).and_then(Json::as_object);
        let named = of("properties");
        let patterns = of("patternProperties").unwrap_or(&empty);
        let patterns: Vec<(regex::Regex, &str)> = patterns
            .keys()
            .filter_map(|p| regex::Regex::new(p).ok().map(|r| (r, p.as_str())))
            .collect();
        for (key, value) in map {
            let below = format!("{at}.{key}");
            let below = below.trim_start_matches('.');
            let mut known = false;
            if let Some(part) = named.and_then(|n| n.get(key)) {
                known = true;
                self.value(part, value, below, depth + 1);
            }
            for (pattern, name) in &patterns {
                if pattern.is_match(key) {
                    known = true;
                    if let Some(part) = of("patternProperties").and_then(|p| p.get(*name)) {
                        self.value(part, value, below, depth + 1);
                    }
                }
            }
            match schema.get("additionalProperties") {
                Some(Json::Bool(false)) if !known => self.fault(at, format!("`{key}` is not allowed")),
                Some(part @ Json::Object(_)) if !known => self.value(part, value, below, depth + 1),
                _ => {}
            }
        }
        self.count(schema, map.len(), "minProperties", "maxProperties", "members", at);
    }

    fn items(&mut self, schema: &'a Map<String, Json>, items: &[Json], at: &str, depth: usize) {
        let first = schema
            .get("prefixItems")
            .or_else(|| schema.get("items").filter(|i| i.is_array()));
        let first = first.and_then(Json::as_array);
        let rest = schema.get("items").filter(|i| !i.is_array());
        for (i, item) in items.iter().enumerate() {
            let below = format!("{at}[{i}]");
            if let Some(part) = first.and_then(|f| f.get(i)).or(rest) {
                self.value(part, item, &below, depth + 1);
            }
        }
        if let Some(part) = schema.get("contains")
            && !items.iter().any(|i| self.fits(part, i, depth + 1))
        {
            self.fault(at, "has none of the items that it must contain");
        }
        if schema.get("uniqueItems") == Some(&Json::Bool(true)) {
            let twice = |(i, item): (usize, &Json)| items.iter().take(i).any(|other| same(other, item));
            if items.len() <= 2_000 && items.iter().enumerate().any(twice) {
                self.fault(at, "has an item twice");
            }
        }
        self.count(schema, items.len(), "minItems", "maxItems", "items", at);
    }

    fn text(&mut self, schema: &Map<String, Json>, text: &str, at: &str) {
        self.count(schema, text.chars().count(), "minLength", "maxLength", "characters", at);
        if let Some(pattern) = schema.get("pattern").and_then(Json::as_str) {
            match regex::Regex::new(pattern) {
                Ok(regex) if !regex.is_match(text) => self.fault(at, format!("must match `{pattern}`")),
                Ok(_) => {}
                Err(_) => self.fault(at, format!("the schema's pattern `{pattern}` cannot be used")),
            }
        }
    }

    fn number(&mut self, schema: &Map<String, Json>, number: f64, at: &str) {
        let bound = |key: &str| schema.get(key).and_then(Json::as_f64);
        for (key, words, ok) in [
            ("minimum", "at least", bound("minimum").is_none_or(|b| number >= b)),
            ("maximum", "at most", bound("maximum").is_none_or(|b| number <= b)),
            (
                "exclusiveMinimum",
                "more than",
                bound("exclusiveMinimum").is_none_or(|b| number > b),
            ),
            (
                "exclusiveMaximum",
                "less than",
                bound("exclusiveMaximum").is_none_or(|b| number < b),
            ),
        ] {
            if !ok {
                self.fault(at, format!("must be {words} {}", bound(key).unwrap_or_default()));
            }
        }
        if let Some(step) = bound("multipleOf").filter(|s| *s > 0.0)
            && ((number / step) - (number / step).round()).abs() > 1e-9
        {
            self.fault(at, format!("must be a multiple of {step}"));
        }
    }

    fn count(&mut self, schema: &Map<String, Json>, count: usize, min: &str, max: &str, what: &str, at: &str) {
        let bound = |key: &str| {
            schema
                .get(key)
                .and_then(Json::as_u64)
                .and_then(|n| usize::try_from(n).ok())
        };
        if let Some(least) = bound(min).filter(|b| count < *b) {
            self.fault(at, format!("must have at least {least} {what}"));
        }
        if let Some(most) = bound(max).filter(|b| count > *b) {
            self.fault(at, format!("must have at most {most} {what}"));
        }
    }
}

/// Equality of JSON: 1 equals 1.0, the order of members does not matter.
fn same(a: &Json, b: &Json) -> bool {
    match (a, b) {
        (Json::Number(a), Json::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        (Json::Array(a), Json::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Json::Object(a), Json::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(k, v)| b.get(k).is_some_and(|w| same(v, w)))
        }
        _ => a == b,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_value_is_judged_with_its_places() {
        let schema = json!({
            "type": "object",
            "required": ["title", "parts"],
            "additionalProperties": false,
            "properties": {
                "title": {"type": "string", "minLength": 1, "pattern": "^[A-Z]"},
                "parts": {"type": "array", "items": {"$ref": "#/$defs/part"}, "minItems": 1},
            },
            "$defs": {"part": {"type": "object", "properties": {"n": {"type": "integer", "maximum": 3}}}},
        });
        assert!(faults(&schema, &json!({"title": "A", "parts": [{"n": 3.0}]})).is_empty());
        let found = faults(&schema, &json!({"title": "a", "parts": [{"n": 4}, 1], "x": 1}));
        assert_eq!(
            found,
            [
                "title: must match `^[A-Z]`",
                "parts[0].n: must be at most 3",
                "parts[1]: must be of type object",
                "the value: `x` is not allowed",
            ]
        );
        assert_eq!(faults(&schema, &json!({}))[0], "the value: `title` is missing");
    }

    #[test]
    fn alternatives_are_counted() {
        let schema = json!({"oneOf": [{"type": "integer"}, {"minimum": 2}], "not": {"const": 7}});
        assert!(faults(&schema, &json!(1)).is_empty());
        assert_eq!(faults(&schema, &json!(3)).len(), 1);
        assert!(faults(&json!({"anyOf": [{"type": "null"}, {"enum": ["a"]}]}), &json!(null)).is_empty());
        assert!(
            !faults(
                &json!({"if": {"type": "string"}, "then": {"maxLength": 1}}),
                &json!("ab")
            )
            .is_empty()
        );
    }

    #[test]
    fn a_schema_that_refers_to_itself_ends() {
        let schema = json!({"$ref": "#"});
        assert!(faults(&schema, &json!(1)).is_empty());
        let schema = json!({"properties": {"x": {"$ref": "#"}}, "type": "object"});
        assert_eq!(
            faults(&schema, &json!({"x": {"x": 1}})),
            ["x.x: must be of type object"]
        );
    }
}
