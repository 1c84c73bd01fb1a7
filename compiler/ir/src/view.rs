//! Views and choices (`machine` 16, `language` 3.8, 3.9). All texts are in the view language.

use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use crate::arena::{ExprId, OriginId};
use crate::code::Text;
use crate::is_default;
use crate::value::Value;

/// What a room shows.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum View {
    /// One text.
    Text(Text),
    /// Elements in order.
    Elements(Vec<Element>),
    /// A template of the story's `views` folder with blocks filled in.
    Extends {
        /// The template's name.
        template: SmolStr,
        /// Elements per block.
        #[serde(default, skip_serializing_if = "is_default")]
        blocks: Vec<(SmolStr, Vec<Element>)>,
    },
    /// A template file of the `views` folder.
    File(SmolStr),
}

/// One element of a view.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Element {
    /// Where it came from.
    pub at: OriginId,
    /// Shown only when this is truthy; an evaluation error hides it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub when: Option<ExprId>,
    /// What it shows.
    pub show: ElementKind,
}

/// The kinds of [`Element`].
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ElementKind {
    /// Running text.
    Prose(Text),
    /// A heading.
    Heading(Text),
    /// Text with its layout kept.
    Code(Text),
    /// A raw template.
    Template(Text),
    /// A list.
    List {
        /// Mark before each item; empty: the default.
        #[serde(default, skip_serializing_if = "is_default")]
        marker: SmolStr,
        /// Items in order.
        items: Vec<ListItem>,
    },
    /// Key-value pairs in order.
    Kv(Vec<(SmolStr, Text)>),
    /// A banner.
    Banner {
        /// The text.
        text: Text,
        /// Below it.
        #[serde(default, skip_serializing_if = "is_default")]
        subtitle: Text,
        /// Colour word.
        #[serde(default, skip_serializing_if = "is_default")]
        color: Text,
    },
    /// Something to choose.
    Choice(Box<Choice>),
    /// A picture, a video, a document.
    Media(Box<Media>),
}

/// One item of a list element.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListItem {
    /// Shown.
    pub label: Text,
    /// Shown dimmed.
    #[serde(default, skip_serializing_if = "is_default")]
    pub hint: Text,
    /// Shown only when this is truthy.
    #[serde(default, skip_serializing_if = "is_default")]
    pub when: Option<ExprId>,
}

/// The body of a media element.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Media {
    /// World key or template of the handle.
    pub handle: Text,
    /// Shown below.
    #[serde(default, skip_serializing_if = "is_default")]
    pub caption: Text,
    /// `video`, `image`, `pdf`, `html`, `slideshow` by convention.
    #[serde(default, skip_serializing_if = "is_default")]
    pub kind: SmolStr,
    /// Path.
    #[serde(default, skip_serializing_if = "is_default")]
    pub path: Text,
    /// Intent of an annotation.
    #[serde(default, skip_serializing_if = "is_default")]
    pub annotate_intent: SmolStr,
    /// Slot of the annotation; empty: `feedback`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub annotate_feedback_slot: SmolStr,
    /// Address of the annotation.
    #[serde(default, skip_serializing_if = "is_default")]
    pub annotate_url: Text,
}

/// How a choice is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChoiceMode {
    /// One of several intents.
    #[default]
    Single,
    /// Several values of one slot.
    Multi,
    /// Several slots of one intent, filled into a text.
    Form,
}

/// The body of a choice element.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    /// How it is made.
    pub mode: ChoiceMode,
    /// Question.
    #[serde(default, skip_serializing_if = "is_default")]
    pub prompt: Text,
    /// Guard; wins over that of the element.
    #[serde(default, skip_serializing_if = "is_default")]
    pub when: Option<ExprId>,
    /// Intent of `multi` and `form`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub intent: SmolStr,
    /// Slot of `multi`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub slot: SmolStr,
    /// Items of `single` and `multi`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub items: Vec<ChoiceItem>,
    /// Least number of picks, when written.
    #[serde(default, skip_serializing_if = "is_default")]
    pub min: Option<i64>,
    /// Greatest number of picks, when written.
    #[serde(default, skip_serializing_if = "is_default")]
    pub max: Option<i64>,
    /// Text of `form` with `{field}` places.
    #[serde(default, skip_serializing_if = "is_default")]
    pub template: Text,
    /// Fields of `form` in order.
    #[serde(default, skip_serializing_if = "is_default")]
    pub fields: Vec<(SmolStr, ChoiceField)>,
}

/// One item of a choice.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChoiceItem {
    /// Shown.
    #[serde(default, skip_serializing_if = "is_default")]
    pub label: Text,
    /// Shown dimmed.
    #[serde(default, skip_serializing_if = "is_default")]
    pub hint: Text,
    /// Intent of a `single` item.
    #[serde(default, skip_serializing_if = "is_default")]
    pub intent: SmolStr,
    /// Value of a `multi` item.
    #[serde(default, skip_serializing_if = "is_default")]
    pub value: SmolStr,
    /// Slots of the intent, templates in the view language inside.
    #[serde(default, skip_serializing_if = "is_default")]
    pub slots: Vec<(SmolStr, Value)>,
    /// Shown only when this is truthy.
    #[serde(default, skip_serializing_if = "is_default")]
    pub when: Option<ExprId>,
    /// One value that the user types.
    #[serde(default, skip_serializing_if = "is_default")]
    pub param: Option<ChoiceParam>,
}

/// A value that the user types for a choice item.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChoiceParam {
    /// Slot that takes it.
    pub slot: SmolStr,
    /// `string`, `int` or `enum`.
    #[serde(rename = "type")]
    pub ty: SmolStr,
    /// Shown in the empty field.
    #[serde(default, skip_serializing_if = "is_default")]
    pub placeholder: Text,
    /// Must be given.
    #[serde(default, skip_serializing_if = "is_default")]
    pub required: bool,
    /// Values of an `enum`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub values: Vec<SmolStr>,
}

/// One field of a form.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChoiceField {
    /// `string`, `int`, `float`, `bool` or `enum`.
    #[serde(rename = "type")]
    pub ty: SmolStr,
    /// Shown.
    #[serde(default, skip_serializing_if = "is_default")]
    pub hint: Text,
    /// Shown in the empty field.
    #[serde(default, skip_serializing_if = "is_default")]
    pub placeholder: Text,
    /// Shown behind the field.
    #[serde(default, skip_serializing_if = "is_default")]
    pub unit: SmolStr,
    /// Values of an `enum`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub values: Vec<SmolStr>,
    /// Value to begin with; a text may be a template of the view language. `null`: none.
    #[serde(default, skip_serializing_if = "is_default")]
    pub default: Value,
    /// Least value.
    #[serde(default, skip_serializing_if = "is_default")]
    pub min: Value,
    /// Greatest value.
    #[serde(default, skip_serializing_if = "is_default")]
    pub max: Value,
    /// Must be given.
    #[serde(default, skip_serializing_if = "is_default")]
    pub required: bool,
    /// Shown only.
    #[serde(default, skip_serializing_if = "is_default")]
    pub readonly: bool,
    /// Value of a read-only field.
    #[serde(default, skip_serializing_if = "is_default")]
    pub expr: Option<ExprId>,
    /// Shown only when this is truthy.
    #[serde(default, skip_serializing_if = "is_default")]
    pub when: Option<ExprId>,
}
