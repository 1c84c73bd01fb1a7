//! Expressions and templates. The same text in the same position is one entry, compiled once.
//!
//! An entry holds the text with its final names (`world.k__note`) and everything that the position decides: which
//! language it is in and what it must yield (`expressions` 1.1). An engine compiles both tables once when it takes a
//! story (`kitsoki_expr` needs some nanoseconds a byte) and from then on works with the ids as indices. The text is the
//! stored form on purpose: it is what people read in a diff, and it does not tie a stored story to one version of the
//! evaluator's tree.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use smol_str::SmolStr;

use crate::arena::TemplateId;

/// What an expression must yield.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExprKind {
    /// A guard: anything but a boolean is an error (E-bool).
    Bool,
    /// Any value; the user of the result goes by truthiness (E-any).
    Any,
}

/// A bare expression.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expr {
    /// What it must yield.
    pub kind: ExprKind,
    /// The expression, without braces.
    pub text: SmolStr,
}

/// The language of a template. The position decides, never the text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Dialect {
    /// Brace templates of effects (T): `{{ expr }}`, `{{ if }}`, `{{ range }}`.
    Effect,
    /// View templates (P): `{{ value|filter }}`, `{% tag %}`.
    View,
    /// A transition target: the view language on a user's turn, the effect language on a synthetic hop.
    Target,
}

/// What a template of the effect language yields.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TemplateShape {
    /// One expression in braces: its value keeps its type (where the position takes values).
    Sole,
    /// Text.
    Mixed,
}

/// A text with braces that is rendered.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Template {
    /// Its language.
    pub dialect: Dialect,
    /// One expression, or text around expressions.
    pub shape: TemplateShape,
    /// The text as a whole.
    pub text: SmolStr,
}

/// A text in a rendered position: most are literal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Text {
    /// Shown as it is.
    Literal(SmolStr),
    /// Rendered.
    Template(TemplateId),
}

impl Default for Text {
    fn default() -> Self {
        Text::Literal(SmolStr::default())
    }
}

impl Text {
    /// `true` for the literal empty text.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        matches!(self, Text::Literal(text) if text.is_empty())
    }

    /// The text, when it is literal.
    #[must_use]
    pub fn literal(&self) -> Option<&str> {
        match self {
            Text::Literal(text) => Some(text),
            Text::Template(_) => None,
        }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Reference {
    template: TemplateId,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Stored {
    Literal(SmolStr),
    Reference(Reference),
}

/// A literal is a plain text, a template `{"template": 3}`.
impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Text::Literal(text) => text.serialize(serializer),
            Text::Template(template) => Reference { template: *template }.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match Stored::deserialize(deserializer)? {
            Stored::Literal(text) => Text::Literal(text),
            Stored::Reference(r) => Text::Template(r.template),
        })
    }
}
