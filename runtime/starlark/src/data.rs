//! The values that cross the border between a story and a script: JSON with integers told from floats.

use std::collections::BTreeMap;

use serde_json::{Map, Number, Value as Json};

/// One value. Mappings are sorted by key, as the reference hands them over.
#[derive(Debug, Clone, PartialEq)]
pub enum Data {
    /// Nothing.
    Null,
    /// A boolean.
    Bool(bool),
    /// A signed 64-bit integer.
    Int(i64),
    /// A float; not-a-number and the infinities included.
    Float(f64),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<Data>),
    /// A mapping with text keys.
    Map(BTreeMap<String, Data>),
}

/// A mapping from names to values: inputs, outputs, a world.
pub type DataMap = BTreeMap<String, Data>;

impl Data {
    /// From JSON: a number without point and exponent is an integer; above the signed range it becomes a float.
    pub fn from_json(json: &Json) -> Self {
        match json {
            Json::Null => Self::Null,
            Json::Bool(b) => Self::Bool(*b),
            Json::Number(n) => match (n.as_i64(), n.as_f64()) {
                (Some(i), _) => Self::Int(i),
                (None, f) => Self::Float(f.unwrap_or(f64::NAN)),
            },
            Json::String(s) => Self::Text(s.clone()),
            Json::Array(items) => Self::List(items.iter().map(Self::from_json).collect()),
            Json::Object(map) => Self::Map(map.iter().map(|(k, v)| (k.clone(), Self::from_json(v))).collect()),
        }
    }

    /// To JSON. A whole float keeps its point (`3.0`); what JSON has no number for becomes the texts `"NaN"`, `"+Inf"`,
    /// `"-Inf"`.
    pub fn to_json(&self) -> Json {
        match self {
            Self::Null => Json::Null,
            Self::Bool(b) => Json::Bool(*b),
            Self::Int(i) => Json::Number((*i).into()),
            Self::Float(f) => match Number::from_f64(*f) {
                Some(n) => Json::Number(n),
                None if f.is_nan() => Json::String("NaN".to_owned()),
                None if *f > 0.0 => Json::String("+Inf".to_owned()),
                None => Json::String("-Inf".to_owned()),
            },
            Self::Text(s) => Json::String(s.clone()),
            Self::List(items) => Json::Array(items.iter().map(Self::to_json).collect()),
            Self::Map(map) => Json::Object(map_to_json(map)),
        }
    }

    /// The text, of a text.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(s) => Some(s),
            _ => None,
        }
    }

    /// The mapping, of a mapping.
    pub fn as_map(&self) -> Option<&DataMap> {
        match self {
            Self::Map(map) => Some(map),
            _ => None,
        }
    }

    /// What messages call the type.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "bool",
            Self::Int(_) => "int",
            Self::Float(_) => "float",
            Self::Text(_) => "string",
            Self::List(_) => "list",
            Self::Map(_) => "object",
        }
    }
}

/// A mapping as a JSON object.
pub fn map_to_json(map: &DataMap) -> Map<String, Json> {
    map.iter().map(|(k, v)| (k.clone(), v.to_json())).collect()
}
