//! YAML texts as values: sidecars, cassettes and what `yaml.decode` is given. Only the first document counts, mappings are
//! sorted by key, keys are texts.

use std::fmt;

use kitsoki_syntax::decode::{self, Value};

use crate::data::{Data, DataMap};

/// Why a text gives no value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentFault {
    /// What is wrong.
    pub message: String,
    /// Line from 1.
    pub line: usize,
    /// Column from 1, in characters.
    pub column: usize,
    /// The line itself, cut to what fits a screen.
    pub excerpt: String,
    /// The text is larger or deeper than anything that is read.
    pub too_large: bool,
}

impl fmt::Display for DocumentFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "[{}:{}] {}", self.line, self.column, self.message)?;
        write!(f, ">  {} | {}", self.line, self.excerpt)
    }
}

/// Reads the first document of a text; an empty text is null. Integers above the signed range become floats.
///
/// # Errors
///
/// The first fault of the text.
pub fn read(text: &str) -> Result<Data, DocumentFault> {
    decode::document(text).map(data).map_err(|failure| {
        let before = text.get(..usize::from(failure.range.start())).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |i| i + 1);
        let line = text
            .get(line_start..)
            .and_then(|rest| rest.lines().next())
            .unwrap_or_default();
        DocumentFault {
            message: failure.message,
            line: before.bytes().filter(|b| *b == b'\n').count() + 1,
            column: before.get(line_start..).map_or(0, |s| s.chars().count()) + 1,
            excerpt: line.chars().take(120).collect(),
            too_large: matches!(failure.class, "depth" | "limit"),
        }
    })
}

/// The depth of a read document is bounded by the reader, so this may recurse.
fn data(value: Value) -> Data {
    match value {
        Value::Null => Data::Null,
        Value::Bool(b) => Data::Bool(b),
        Value::Int(i) => Data::Int(i),
        #[expect(
            clippy::cast_precision_loss,
            reason = "the nearest float is what the reference makes of it"
        )]
        Value::Uint(n) => Data::Float(n as f64),
        Value::Float(f) => Data::Float(f),
        Value::Text(s) => Data::Text(s.into()),
        Value::List(items) => Data::List(items.into_iter().map(data).collect()),
        Value::Map(entries) => Data::Map(
            entries
                .into_iter()
                .map(|(k, v)| (k.into(), data(v)))
                .collect::<DataMap>(),
        ),
    }
}
