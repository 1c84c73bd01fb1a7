//! Values in `set`, `with`, `slots` and defaults: data with templates at the leaves.

use serde::de::{self, MapAccess, SeqAccess, Visitor};
use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use smol_str::SmolStr;

use crate::arena::TemplateId;

/// A value, or a template that yields one.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum Value {
    /// Nothing.
    #[default]
    Null,
    /// A truth value.
    Bool(bool),
    /// An integer that fits 64 signed bits.
    Int(i64),
    /// An integer above the signed range; the same type as [`Value::Int`] to an expression.
    Uint(u64),
    /// A floating-point number.
    Float(f64),
    /// A literal text.
    Text(SmolStr),
    /// A template: see [`crate::Story::templates`].
    Template(TemplateId),
    /// A list.
    List(Vec<Value>),
    /// A mapping in the order of declaration. Keys are never rendered.
    Map(Vec<(SmolStr, Value)>),
}

impl Value {
    /// The text, when it is a literal one.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The value of a key, when this is a mapping that has it.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Value> {
        match self {
            Value::Map(entries) => entries.iter().find(|(name, _)| name == key).map(|(_, value)| value),
            _ => None,
        }
    }

    /// `true` when no template stands in it, at any depth.
    #[must_use]
    pub fn is_literal(&self) -> bool {
        let mut stack = vec![self];
        while let Some(value) = stack.pop() {
            match value {
                Value::Template(_) => return false,
                Value::List(items) => stack.extend(items),
                Value::Map(entries) => stack.extend(entries.iter().map(|(_, v)| v)),
                _ => {}
            }
        }
        true
    }
}

/// Scalars and lists are themselves. A mapping is `{"map": {...}}`, a template `{"template": 3}` and a number that JSON
/// does not have `{"float": ".nan"}`, so that no key an author writes can be mistaken for one of these.
impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Value::Null => serializer.serialize_none(),
            Value::Bool(b) => serializer.serialize_bool(*b),
            Value::Int(n) => serializer.serialize_i64(*n),
            Value::Uint(n) => serializer.serialize_u64(*n),
            Value::Float(n) if n.is_finite() => serializer.serialize_f64(*n),
            Value::Float(n) => tagged(serializer, "float", &non_finite(*n)),
            Value::Text(text) => serializer.serialize_str(text),
            Value::Template(id) => tagged(serializer, "template", id),
            Value::List(items) => {
                let mut seq = serializer.serialize_seq(Some(items.len()))?;
                for item in items {
                    seq.serialize_element(item)?;
                }
                seq.end()
            }
            Value::Map(entries) => tagged(serializer, "map", &Entries(entries)),
        }
    }
}

fn tagged<S: Serializer>(serializer: S, tag: &str, value: &impl Serialize) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(1))?;
    map.serialize_entry(tag, value)?;
    map.end()
}

fn non_finite(n: f64) -> &'static str {
    if n.is_nan() {
        ".nan"
    } else if n > 0.0 {
        ".inf"
    } else {
        "-.inf"
    }
}

/// Pairs as a mapping in their order.
struct Entries<'a>(&'a [(SmolStr, Value)]);

impl Serialize for Entries<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ValueVisitor)
    }
}

struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a value of a story")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, b: bool) -> Result<Value, E> {
        Ok(Value::Bool(b))
    }

    fn visit_i64<E>(self, n: i64) -> Result<Value, E> {
        Ok(Value::Int(n))
    }

    fn visit_u64<E>(self, n: u64) -> Result<Value, E> {
        Ok(i64::try_from(n).map_or(Value::Uint(n), Value::Int))
    }

    fn visit_f64<E>(self, n: f64) -> Result<Value, E> {
        Ok(Value::Float(n))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::Text(SmolStr::new(text)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(Value::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let Some(tag) = map.next_key::<String>()? else {
            return Err(de::Error::custom(
                "a value that is a mapping needs one of the keys map, template, float",
            ));
        };
        let value = match tag.as_str() {
            "map" => Value::Map(map.next_value::<Pairs>()?.0),
            "template" => Value::Template(map.next_value()?),
            "float" => match map.next_value::<String>()?.as_str() {
                ".inf" => Value::Float(f64::INFINITY),
                "-.inf" => Value::Float(f64::NEG_INFINITY),
                _ => Value::Float(f64::NAN),
            },
            other => return Err(de::Error::unknown_field(other, &["map", "template", "float"])),
        };
        match map.next_key::<String>()? {
            None => Ok(value),
            Some(other) => Err(de::Error::custom(format!(
                "a value has one key beside its tag: {other}"
            ))),
        }
    }
}

/// A mapping read as pairs in its order.
struct Pairs(Vec<(SmolStr, Value)>);

impl<'de> Deserialize<'de> for Pairs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct PairsVisitor;
        impl<'de> Visitor<'de> for PairsVisitor {
            type Value = Pairs;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a mapping")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Pairs, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Pairs(pairs))
            }
        }
        deserializer.deserialize_map(PairsVisitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_value_survives_json() {
        let value = Value::Map(vec![
            ("map".into(), Value::Map(vec![])),
            ("template".into(), Value::Template(TemplateId(4))),
            (
                "list".into(),
                Value::List(vec![
                    Value::Null,
                    Value::Bool(true),
                    Value::Int(-3),
                    Value::Uint(u64::MAX),
                ]),
            ),
            ("whole".into(), Value::Float(2.0)),
            ("text".into(), Value::Text("{{ no".into())),
            ("inf".into(), Value::Float(f64::NEG_INFINITY)),
        ]);
        let json = serde_json::to_string(&value).unwrap();
        assert_eq!(serde_json::from_str::<Value>(&json).unwrap(), value, "{json}");
    }

    #[test]
    fn a_mapping_without_its_tag_is_refused() {
        assert!(serde_json::from_str::<Value>(r#"{"a": 1}"#).is_err());
        assert!(serde_json::from_str::<Value>(r#"{"template": 1, "map": {}}"#).is_err());
    }
}
