//! Intents and their slots (`machine` 5, 6).

use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use crate::arena::{OriginId, StateId};
use crate::is_default;
use crate::value::Value;

/// A definition of an intent.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Intent {
    /// Where it came from.
    pub at: OriginId,
    /// Its final name.
    pub name: SmolStr,
    /// The room that it is local to; `None` for a global one.
    #[serde(default, skip_serializing_if = "is_default")]
    pub scope: Option<StateId>,
    /// Label.
    #[serde(default, skip_serializing_if = "is_default")]
    pub title: SmolStr,
    /// Shown to the model and in menus.
    #[serde(default, skip_serializing_if = "is_default")]
    pub description: SmolStr,
    /// Example phrases, implicit synonyms too.
    #[serde(default, skip_serializing_if = "is_default")]
    pub examples: Vec<SmolStr>,
    /// Alternate phrases; braces make one a template with slot captures.
    #[serde(default, skip_serializing_if = "is_default")]
    pub synonyms: Vec<SmolStr>,
    /// Menu order, higher first.
    #[serde(default, skip_serializing_if = "is_default")]
    pub priority: i64,
    /// Usable but not listed.
    #[serde(default, skip_serializing_if = "is_default")]
    pub hidden: bool,
    /// Typed parameters in order of declaration. Missing ones are reported in sorted order.
    #[serde(default, skip_serializing_if = "is_default")]
    pub slots: Vec<Slot>,
}

impl Intent {
    /// The slots that must be given.
    pub fn required(&self) -> impl Iterator<Item = &Slot> {
        self.slots.iter().filter(|s| s.required)
    }

    /// The slot called `name`.
    #[must_use]
    pub fn slot(&self, name: &str) -> Option<&Slot> {
        self.slots.iter().find(|s| s.name == name)
    }
}

/// One parameter of an intent. Nothing checks the type of a submitted value; `values` are compared as text.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Slot {
    /// Name.
    pub name: SmolStr,
    /// Type word as written; empty when none.
    #[serde(default, skip_serializing_if = "is_default", rename = "type")]
    pub ty: SmolStr,
    /// Missing or null means `MISSING_SLOTS`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub required: bool,
    /// Filled in when absent and not required; `null`: none. Literal.
    #[serde(default, skip_serializing_if = "is_default")]
    pub default: Value,
    /// Allowed values; empty: all.
    #[serde(default, skip_serializing_if = "is_default")]
    pub values: Vec<SmolStr>,
    /// Shown to model and user.
    #[serde(default, skip_serializing_if = "is_default")]
    pub description: SmolStr,
    /// Example values.
    #[serde(default, skip_serializing_if = "is_default")]
    pub examples: Vec<SmolStr>,
    /// How the value looks.
    #[serde(default, skip_serializing_if = "is_default")]
    pub format_hint: SmolStr,
    /// Question to the user.
    #[serde(default, skip_serializing_if = "is_default")]
    pub prompt: SmolStr,
    /// Name of a custom format in the model-facing schema.
    #[serde(default, skip_serializing_if = "is_default")]
    pub format: SmolStr,
    /// Documented as an expression, never evaluated; the author guard of the web surface looks for world keys in it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub validator: SmolStr,
    /// Phrases per value of an `enum` slot.
    #[serde(default, skip_serializing_if = "is_default")]
    pub synonyms: Vec<(SmolStr, Vec<SmolStr>)>,
}
