//! Intents, slots and world variables as written (`language` 3.3-3.5).

use serde_json::{Map as JsonMap, Value as Json};

use kitsoki_syntax::{NodeId, NodeKind, Span};

use super::decl::{Surface, emit_field};
use super::decode::Decoder;
use super::field::Field;
use super::schema::{self, Schema};
use super::text::{Flag, Int, List, Map, Origin, Text};
use super::value::{Any, AnyKind};
use crate::rules::decoding;

decl! {
    /// `intents.<name>`: something the operator can want.
    pub struct Intent("an intent") {
        /// Label.
        "title" => title: Text,
        /// Shown to the model and in menus.
        "description" => description: Text,
        /// Example phrases.
        "examples" => examples: List<Text>,
        /// Menu order, higher first.
        "priority" => priority: Int,
        /// Usable but not listed.
        "hidden" => hidden: Flag,
        /// Typed parameters.
        "slots" => slots: Map<Slot>,
        /// Alternate phrases; braces make one a template.
        "synonyms" => synonyms: List<Text>,
    }
}

decl! {
    /// `intents.<name>.slots.<slot>`.
    pub struct Slot("a slot") {
        /// Type word.
        "type" => ty: Text,
        /// Missing means `MISSING_SLOTS`.
        "required" => required: Flag,
        /// Filled in when absent and not required.
        "default" => default: Any,
        /// Allowed values.
        "values" => values: List<Text>,
        /// Shown to model and user.
        "description" => description: Text,
        /// Example values.
        "examples" => examples: List<Text>,
        /// How the value looks.
        "format_hint" => format_hint: Text,
        /// Question to the user.
        "prompt" => prompt: Text,
        /// Never evaluated.
        "validator" => validator: Text,
        /// Custom format name.
        "format" => format: Text,
        /// Phrases per value of an `enum` slot.
        "synonyms" => synonyms: Map<List<Text>>,
    }
}

/// `world.<name>`: one variable of the session (`language` 2.7, 3.3).
#[derive(Clone, PartialEq, Debug)]
pub struct WorldVar {
    /// The whole value.
    pub span: Span,
    /// The name.
    pub head: Span,
    /// Whether somebody wrote it.
    pub origin: Origin,
    /// Type word; free text.
    pub ty: Option<Field<Text>>,
    /// Initial value; absent means that the variable is absent.
    pub default: Option<Field<Any>>,
    /// Documented values of an enumeration.
    pub values: Option<Field<List<Text>>>,
}

impl WorldVar {
    /// The keys of the schema form.
    pub const KEYS: &'static [&'static str] = &["type", "default", "values"];

    /// The type word, empty when none was written.
    #[must_use]
    pub fn type_word(&self) -> &str {
        self.ty.as_ref().map_or("", |t| t.as_str())
    }

    /// The default, unless it is null.
    #[must_use]
    pub fn default_value(&self) -> Option<&Any> {
        self.default
            .as_ref()
            .map(|d| &d.value)
            .filter(|d| d.kind != AnyKind::Null)
    }
}

impl Surface for WorldVar {
    fn decode(cx: &mut Decoder<'_>, node: NodeId, head: Span) -> Option<Self> {
        let mut this = Self::empty(cx.span(node), head);
        if let NodeKind::Mapping(_) = &cx.tree().node(node).kind {
            let entries = cx.tree().entries(node);
            if entries.is_empty() {
                return Some(this);
            }
            let known = entries.iter().any(|e| {
                let key = cx.tree().resolve_alias(e.key);
                Self::KEYS.iter().any(|k| cx.scalar_text(key).as_deref() == Some(k))
            });
            if known {
                for entry in cx.fixed_mapping(node, "a world variable")? {
                    match entry.key.as_str() {
                        "type" => this.ty = cx.field(&entry),
                        "default" => this.default = cx.field(&entry),
                        "values" => this.values = cx.field(&entry),
                        _ => {
                            let key = &entry.key;
                            cx.findings.push(decoding::ignored_key(
                                entry.key_span,
                                key,
                                "a world variable",
                                Self::KEYS,
                            ));
                        }
                    }
                }
                return Some(this);
            }
            cx.findings.extend(decoding::world_var_misspelt(cx, node));
        }
        let value = cx.any(node);
        this.default = Some(Field::new(head, value));
        Some(this)
    }

    fn empty(span: Span, head: Span) -> Self {
        Self {
            span,
            head,
            origin: Origin::Written,
            ty: None,
            default: None,
            values: None,
        }
    }

    fn emit(&self) -> Json {
        let mut out = JsonMap::new();
        emit_field(&mut out, "type", self.ty.as_ref());
        emit_field(&mut out, "default", self.default.as_ref());
        emit_field(&mut out, "values", self.values.as_ref());
        Json::Object(out)
    }

    fn schema(schema: &mut Schema) -> Json {
        schema.definition("WorldVar", |schema| {
            let values = List::<Text>::schema(schema);
            let keys = vec![
                ("type", "Type word.", schema::text()),
                ("default", "Initial value; without one the variable is absent.", Json::Bool(true)),
                ("values", "Values of an enumeration.", values),
            ];
            // Anything else is the default itself.
            let mut forms = vec![schema.mapping("a world variable", keys)];
            forms.push(serde_json::json!({ "not": { "anyOf": Self::KEYS.iter().map(|key| serde_json::json!({ "type": "object", "required": [key] })).collect::<Vec<_>>() } }));
            schema::one_of(forms)
        })
    }
}
