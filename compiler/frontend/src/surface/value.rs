//! "Any" values: what stands in `set`, `with`, `slots` and the other free positions (`language` 2.5).

use kitsoki_syntax::Span;

use super::items::Items;
use super::text::{Made, Text};

/// A value of a free position, with its place.
#[derive(Clone, PartialEq, Debug)]
pub struct Any {
    /// What it is.
    pub kind: AnyKind,
    /// Where it stands; for a made value the place that caused it.
    pub span: Span,
}

/// The kinds of [`Any`].
#[derive(Clone, PartialEq, Debug)]
pub enum AnyKind {
    /// Nothing.
    Null,
    /// A truth value.
    Bool(bool),
    /// A negative integer, or one that fits 64 signed bits.
    Int(i64),
    /// An integer above the signed range.
    Uint(u64),
    /// A floating-point number.
    Float(f64),
    /// A text: literal or template, by position.
    Text(Text),
    /// A list.
    List(Items<Any>),
    /// A mapping in the order of declaration.
    Map(Items<AnyEntry>),
}

/// One entry of a free mapping.
#[derive(Clone, PartialEq, Debug)]
pub struct AnyEntry {
    /// The key as text.
    pub name: Text,
    /// The value.
    pub value: Any,
}

impl Any {
    /// A text that the compiler makes.
    #[must_use]
    pub fn made_text(text: impl Into<smol_str::SmolStr>, made: Made, site: Span) -> Self {
        Self {
            kind: AnyKind::Text(Text::made(text, made, site)),
            span: site,
        }
    }

    /// A value without text that the compiler makes.
    #[must_use]
    pub fn made(kind: AnyKind, site: Span) -> Self {
        Self { kind, span: site }
    }

    /// The text, when it is one.
    #[must_use]
    pub fn as_text(&self) -> Option<&Text> {
        match &self.kind {
            AnyKind::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The text as `&str`, when it is one.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        self.as_text().map(Text::as_str)
    }

    /// The value of a key, when this is a mapping that has it.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Any> {
        self.entry(key).map(|e| &e.value)
    }

    /// The entry of a key, when this is a mapping that has it.
    #[must_use]
    pub fn entry(&self, key: &str) -> Option<&AnyEntry> {
        match &self.kind {
            AnyKind::Map(entries) => entries.iter().find(|e| e.name.as_str() == key),
            _ => None,
        }
    }

    /// The entries, when this is a mapping.
    #[must_use]
    pub fn as_map(&self) -> Option<&[AnyEntry]> {
        match &self.kind {
            AnyKind::Map(entries) => Some(entries),
            _ => None,
        }
    }

    /// The items, when this is a list.
    #[must_use]
    pub fn as_list(&self) -> Option<&[Any]> {
        match &self.kind {
            AnyKind::List(items) => Some(items),
            _ => None,
        }
    }

    /// Calls `f` for every text leaf at any depth. Depth is bounded by the parser's limit.
    pub fn for_each_text<'a>(&'a self, f: &mut impl FnMut(&'a Text)) {
        let mut stack = vec![self];
        while let Some(any) = stack.pop() {
            match &any.kind {
                AnyKind::Text(text) => f(text),
                AnyKind::List(items) => stack.extend(items.iter().rev()),
                AnyKind::Map(entries) => stack.extend(entries.iter().rev().map(|e| &e.value)),
                _ => {}
            }
        }
    }

    /// The same value with every text leaf replaced by `f`; keys are kept.
    #[must_use]
    pub fn map_texts(&self, f: &mut impl FnMut(&Text) -> Text) -> Self {
        let kind = match &self.kind {
            AnyKind::Text(text) => AnyKind::Text(f(text)),
            AnyKind::List(items) => AnyKind::List(items.iter().map(|i| i.map_texts(f)).collect()),
            AnyKind::Map(entries) => AnyKind::Map(
                entries
                    .iter()
                    .map(|e| AnyEntry {
                        name: e.name.clone(),
                        value: e.value.map_texts(f),
                    })
                    .collect(),
            ),
            other => other.clone(),
        };
        Self { kind, span: self.span }
    }

    /// The word for the kind of value, for messages.
    #[must_use]
    pub fn kind_word(&self) -> &'static str {
        match &self.kind {
            AnyKind::Null => "nothing",
            AnyKind::Bool(_) => "true or false",
            AnyKind::Int(_) | AnyKind::Uint(_) => "an integer",
            AnyKind::Float(_) => "a number",
            AnyKind::Text(_) => "a text",
            AnyKind::List(_) => "a list",
            AnyKind::Map(_) => "a mapping",
        }
    }

    /// As JSON, texts as they are now.
    #[must_use]
    pub fn to_json(&self) -> serde_json::Value {
        use serde_json::Value as Json;
        match &self.kind {
            AnyKind::Null => Json::Null,
            AnyKind::Bool(b) => Json::Bool(*b),
            AnyKind::Int(n) => Json::from(*n),
            AnyKind::Uint(n) => Json::from(*n),
            AnyKind::Float(x) => serde_json::Number::from_f64(*x).map_or_else(
                || {
                    Json::String(
                        if x.is_nan() {
                            "NaN"
                        } else if *x > 0.0 {
                            "+Inf"
                        } else {
                            "-Inf"
                        }
                        .to_owned(),
                    )
                },
                Json::Number,
            ),
            AnyKind::Text(text) => Json::String(text.text.to_string()),
            AnyKind::List(items) => Json::Array(items.iter().map(Any::to_json).collect()),
            AnyKind::Map(entries) => Json::Object(
                entries
                    .iter()
                    .map(|e| (e.name.text.to_string(), e.value.to_json()))
                    .collect(),
            ),
        }
    }
}
