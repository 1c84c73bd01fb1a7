//! The `choice` element as written (`language` 3.9).
//!
//! Leaves keep their YAML kinds, because a choice converts nothing: the schema of the chapter is checked later, on these.

use kitsoki_syntax::{NodeId, Span};

use super::decl::Surface;
use super::decode::{Decoder, Shape};
use super::schema::Schema;
use super::text::{List, Map};
use super::value::Any;

decl! {
    /// The body of a `choice`.
    pub struct ChoiceBody("a choice") {
        /// `single`, `multi` or `form`.
        "mode" => mode: Any,
        /// Question.
        "prompt" => prompt: Any,
        /// Guard.
        "when" => when: Any,
        /// Intent of `multi` and `form`.
        "intent" => intent: Any,
        /// Slot of `multi`.
        "slot" => slot: Any,
        /// Items of `single` and `multi`.
        "items" => items: List<ChoiceItem>,
        /// Least number of picks.
        "min" => min: Any,
        /// Greatest number of picks.
        "max" => max: Any,
        /// Text with `{field}` places of `form`.
        "template" => template: Any,
        /// Fields of `form`.
        "fields" => fields: Map<ChoiceField>,
    }
    made {
        /// A fault inside has been reported: what seems to be missing may stand there.
        broken: bool,
    }
}

decl! {
    /// One item of a choice.
    pub struct ChoiceItem("a choice item") {
        /// Shown.
        "label" => label: Any,
        /// Intent of a `single` item.
        "intent" => intent: Any,
        /// Value of a `multi` item.
        "value" => value: Any,
        /// Shown.
        "hint" => hint: Any,
        /// Slots of the intent.
        "slots" => slots: Map<Any>,
        /// Guard.
        "when" => when: Any,
        /// One value that the user types.
        "param" => param: ChoiceParam,
    }
}

decl! {
    /// `param` of a choice item.
    pub struct ChoiceParam("a choice parameter") {
        /// Slot that takes the value.
        "slot" => slot: Any,
        /// `string`, `int` or `enum`.
        "type" => ty: Any,
        /// Shown in the empty field.
        "placeholder" => placeholder: Any,
        /// Must be given.
        "required" => required: Any,
        /// Values of an `enum`.
        "values" => values: Any,
    }
}

decl! {
    /// One field of a form.
    pub struct ChoiceField("a choice field") {
        /// `string`, `int`, `float`, `bool` or `enum`.
        "type" => ty: Any,
        /// Shown.
        "hint" => hint: Any,
        /// Shown in the empty field.
        "placeholder" => placeholder: Any,
        /// Shown behind the field.
        "unit" => unit: Any,
        /// Values of an `enum`.
        "values" => values: Any,
        /// Value to begin with.
        "default" => default: Any,
        /// Least value.
        "min" => min: Any,
        /// Greatest value.
        "max" => max: Any,
        /// Must be given.
        "required" => required: Any,
        /// Shown only.
        "readonly" => readonly: Any,
        /// Expression of a read-only field.
        "expr" => expr: Any,
        /// Guard.
        "when" => when: Any,
    }
}

/// The mode word of a choice, as far as it is one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChoiceMode {
    /// One of several intents.
    Single,
    /// Several values of one slot.
    Multi,
    /// Several slots of one intent.
    Form,
}

/// A `choice` element.
#[derive(Clone, PartialEq, Debug)]
pub struct Choice(pub Box<ChoiceBody>);

impl Choice {
    /// The mode, when the word is one of the three.
    #[must_use]
    pub fn mode(&self) -> Option<ChoiceMode> {
        match self.0.mode.as_ref()?.as_str()? {
            "single" => Some(ChoiceMode::Single),
            "multi" => Some(ChoiceMode::Multi),
            "form" => Some(ChoiceMode::Form),
            _ => None,
        }
    }
}

impl std::ops::Deref for Choice {
    type Target = ChoiceBody;

    fn deref(&self) -> &ChoiceBody {
        &self.0
    }
}

impl Surface for Choice {
    fn decode(cx: &mut Decoder<'_>, node: NodeId, head: Span) -> Option<Self> {
        let before = cx.findings.len();
        let mut body = cx.shaped(Shape::Choice, |cx| ChoiceBody::decode(cx, node, head))?;
        body.broken = cx.findings.len() > before;
        Some(Choice(Box::new(body)))
    }

    fn empty(span: Span, head: Span) -> Self {
        Choice(Box::new(ChoiceBody::blank(span, head)))
    }

    fn emit(&self) -> serde_json::Value {
        self.0.emit()
    }

    fn schema(schema: &mut Schema) -> serde_json::Value {
        ChoiceBody::schema(schema)
    }
}
