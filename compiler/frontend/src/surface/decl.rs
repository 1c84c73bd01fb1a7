//! The shape of every declaration with fixed keys: one table of keys gives the type, its reader and its printer.
//!
//! [`decl!`] takes the keys as the author writes them, with field names and types. It makes the struct (every key an
//! `Option<Field<T>>`, so that presence and place are known), the reader with its unknown-key check, and the printer of
//! `compile --emit`.

use kitsoki_syntax::{NodeId, Span};
use serde_json::{Map as JsonMap, Value as Json};
use smol_str::SmolStr;

use super::decode::Decoder;
use super::field::Field;
use super::items::Items;
use super::schema::{self, Schema};
use super::text::{Flag, Float, Int, List, Map, MapEntry, Text};
use super::value::Any;

/// A part of the surface story: it can be read from a node and printed again.
pub trait Surface: Sized {
    /// `true` for free values, of which every one but `null` says something.
    const FREE: bool = false;
    /// The author's word for this kind of declaration; empty for what has no keys of its own.
    const WORD: &'static str = "";

    /// Reads `node`, which is not null. `head` is the key that holds it (for a list item its first key). `None` after a
    /// finding: the shape is wrong and nothing can be said about the inside.
    fn decode(cx: &mut Decoder<'_>, node: NodeId, head: Span) -> Option<Self>;

    /// What an author means who writes nothing behind the key. `None`: as if the key were not there.
    fn null(span: Span, head: Span) -> Option<Self> {
        let _ = (span, head);
        None
    }

    /// Says what is odd about a null item of a list of these, when something is.
    fn null_item(cx: &mut Decoder<'_>, span: Span) {
        let _ = (cx, span);
    }

    /// The empty value that stands for a null entry of a mapping or list (`language` 2.5).
    fn empty(span: Span, head: Span) -> Self;

    /// As JSON with the keys of the surface language.
    fn emit(&self) -> Json;

    /// The shapes that can be read, null left out.
    fn schema(schema: &mut Schema) -> Json;
}

/// `true` for a value that is the same as an absent key: `null`, `false`, `0` and everything empty.
pub(crate) fn says_nothing(value: &Json) -> bool {
    match value {
        Json::Null => true,
        Json::Bool(b) => !b,
        Json::String(s) => s.is_empty(),
        Json::Array(a) => a.is_empty(),
        Json::Object(o) => o.is_empty(),
        Json::Number(n) => n.as_f64() == Some(0.0),
    }
}

/// Keys whose absence means `true`, so that both values say something.
const TRUE_BY_DEFAULT: [&str; 4] = ["push_history", "clear", "deterministic", "persist"];
/// Keys whose presence says something even when nothing stands inside.
const SAY_BY_PRESENCE: [&str; 3] = ["commit_operation", "persist_draft", "discard_operation"];

pub(crate) fn emit_field<T: Surface>(out: &mut JsonMap<String, Json>, key: &str, field: Option<&Field<T>>) {
    let Some(field) = field else { return };
    let value = field.value.emit();
    let says = if T::FREE || SAY_BY_PRESENCE.contains(&key) {
        !value.is_null()
    } else if value.is_boolean() && TRUE_BY_DEFAULT.contains(&key) {
        true
    } else {
        !says_nothing(&value)
    };
    if says {
        out.insert(key.to_owned(), value);
    }
}

macro_rules! decl {
    (
        $(#[$meta:meta])*
        pub struct $Name:ident ($kind:literal) {
            $( $(#[doc = $fdoc:literal])* $key:literal => $field:ident : $T:ty ),* $(,)?
        }
        $( made { $( $(#[$emeta:meta])* $extra:ident : $E:ty ),* $(,)? } )?
    ) => {
        $(#[$meta])*
        #[derive(Clone, PartialEq, Debug)]
        pub struct $Name {
            /// The whole mapping.
            pub span: kitsoki_syntax::Span,
            /// The key that holds it; in a list its first key.
            pub head: kitsoki_syntax::Span,
            /// Whether somebody wrote it.
            pub origin: $crate::surface::Origin,
            $( $(#[doc = $fdoc])* pub $field: Option<$crate::surface::Field<$T>>, )*
            $($( $(#[$emeta])* pub $extra: $E, )*)?
        }

        /// Equal as a whole or not: what is shared need not be read to be known as equal.
        impl Eq for $Name {}

        impl $Name {
            /// The keys in the order of the reference chapter.
            pub const KEYS: &'static [&'static str] = &[$($key),*];
            /// What each key is for, in the same order: what an editor shows.
            pub const DOCS: &'static [&'static str] = &[$(concat!($($fdoc),*)),*];
            /// The author's word for this kind of declaration.
            pub const KIND: &'static str = $kind;

            /// A declaration without any key.
            #[must_use]
            pub fn blank(span: kitsoki_syntax::Span, head: kitsoki_syntax::Span) -> Self {
                Self {
                    span,
                    head,
                    origin: $crate::surface::Origin::Written,
                    $( $field: None, )*
                    $($( $extra: Default::default(), )*)?
                }
            }

            /// A declaration that the compiler makes because of `site`.
            #[must_use]
            pub fn synthesized(made: $crate::surface::Made, site: kitsoki_syntax::Span) -> Self {
                Self { origin: $crate::surface::Origin::Macro { made, site }, ..Self::blank(site, site) }
            }

            /// The place of a key, when it was written.
            #[must_use]
            pub fn key_span(&self, key: &str) -> Option<kitsoki_syntax::Span> {
                match key {
                    $( $key => self.$field.as_ref().map(|f| f.key), )*
                    _ => None,
                }
            }
        }

        impl $Name {
            /// Reads the value of one key into this declaration; `false` when there is no such key.
            pub fn set_key(
                &mut self,
                cx: &mut $crate::surface::Decoder<'_>,
                entry: &$crate::surface::KeyEntry,
            ) -> bool {
                match entry.key.as_str() {
                    $( $key => self.$field = cx.field(entry), )*
                    _ => return false,
                }
                true
            }
        }

        impl $crate::surface::Surface for $Name {
            const WORD: &'static str = $kind;

            fn decode(
                cx: &mut $crate::surface::Decoder<'_>,
                node: kitsoki_syntax::NodeId,
                head: kitsoki_syntax::Span,
            ) -> Option<Self> {
                let entries = cx.fixed_mapping(node, Self::KIND)?;
                let head = $crate::surface::decl::head_or_first(cx, head, &entries);
                let mut this = Self::blank(cx.span(node), head);
                for entry in &entries {
                    if !this.set_key(cx, entry)
                        && let Some(meant) = cx.unknown_key(entry, Self::KIND, Self::KEYS, &entries)
                        && this.key_span(meant).is_none()
                    {
                        cx.read_as(entry, meant, |cx, entry| {
                            this.set_key(cx, entry) && this.key_span(meant).is_some()
                        });
                    }
                }
                Some(this)
            }

            fn empty(span: kitsoki_syntax::Span, head: kitsoki_syntax::Span) -> Self {
                Self::blank(span, head)
            }

            fn emit(&self) -> serde_json::Value {
                let mut out = serde_json::Map::new();
                $( $crate::surface::decl::emit_field(&mut out, $key, self.$field.as_ref()); )*
                $($( $crate::surface::decl::Extra::emit_extra(&self.$extra, stringify!($extra), &mut out); )*)?
                serde_json::Value::Object(out)
            }

            fn schema(schema: &mut $crate::surface::Schema) -> serde_json::Value {
                schema.definition(stringify!($Name), |schema| {
                    let values = [$(<$T as $crate::surface::Surface>::schema(schema)),*];
                    let keys = Self::KEYS.iter().zip(Self::DOCS).zip(values);
                    schema.mapping(Self::KIND, keys.map(|((key, doc), value)| (*key, doc.trim(), value)).collect())
                })
            }
        }
    };
}

/// What the compiler knows of a declaration beside its keys. Most of it is not printed.
pub(crate) trait Extra {
    fn emit_extra(&self, name: &str, out: &mut JsonMap<String, Json>);
}

impl Extra for Option<SmolStr> {
    fn emit_extra(&self, _name: &str, _out: &mut JsonMap<String, Json>) {}
}

impl Extra for Option<super::effect::ImportExit> {
    fn emit_extra(&self, _name: &str, _out: &mut JsonMap<String, Json>) {}
}

/// A mark of the reader.
impl Extra for bool {
    fn emit_extra(&self, _name: &str, _out: &mut JsonMap<String, Json>) {}
}

/// A table of names: spellings of intents.
impl Extra for Vec<(SmolStr, SmolStr)> {
    fn emit_extra(&self, name: &str, out: &mut JsonMap<String, Json>) {
        if !self.is_empty() {
            let table = self
                .iter()
                .map(|(from, to)| (from.to_string(), Json::String(to.to_string())));
            out.insert(name.to_owned(), Json::Object(table.collect()));
        }
    }
}

/// A list item has no key of its own: its first key stands for it.
pub(crate) fn head_or_first(cx: &Decoder<'_>, head: Span, entries: &[super::decode::KeyEntry]) -> Span {
    if cx.is_item(head) {
        entries.first().map_or(head, |e| e.key_span)
    } else {
        head
    }
}

impl Surface for Text {
    fn decode(cx: &mut Decoder<'_>, node: NodeId, _head: Span) -> Option<Self> {
        cx.text(node)
    }

    fn null(span: Span, _head: Span) -> Option<Self> {
        Some(Text::new("", span))
    }

    fn empty(span: Span, _head: Span) -> Self {
        Text::new("", span)
    }

    fn emit(&self) -> Json {
        Json::String(self.text.to_string())
    }

    fn schema(schema: &mut Schema) -> Json {
        let _ = schema;
        schema::text()
    }
}

impl Surface for Flag {
    fn decode(cx: &mut Decoder<'_>, node: NodeId, _head: Span) -> Option<Self> {
        cx.flag(node)
    }

    fn empty(span: Span, _head: Span) -> Self {
        Flag { value: false, span }
    }

    fn emit(&self) -> Json {
        Json::Bool(self.value)
    }

    fn schema(schema: &mut Schema) -> Json {
        let _ = schema;
        serde_json::json!({ "type": "boolean" })
    }
}

impl Surface for Int {
    fn decode(cx: &mut Decoder<'_>, node: NodeId, _head: Span) -> Option<Self> {
        cx.int(node)
    }

    fn empty(span: Span, _head: Span) -> Self {
        Int { value: 0, span }
    }

    fn emit(&self) -> Json {
        Json::from(self.value)
    }

    fn schema(schema: &mut Schema) -> Json {
        let _ = schema;
        serde_json::json!({ "type": ["number", "string"] })
    }
}

impl Surface for Float {
    fn decode(cx: &mut Decoder<'_>, node: NodeId, _head: Span) -> Option<Self> {
        cx.float(node)
    }

    fn empty(span: Span, _head: Span) -> Self {
        Float { value: 0.0, span }
    }

    fn emit(&self) -> Json {
        serde_json::Number::from_f64(self.value).map_or(Json::Null, Json::Number)
    }

    fn schema(schema: &mut Schema) -> Json {
        let _ = schema;
        serde_json::json!({ "type": ["number", "string"] })
    }
}

impl Surface for Any {
    const FREE: bool = true;

    fn decode(cx: &mut Decoder<'_>, node: NodeId, _head: Span) -> Option<Self> {
        Some(cx.any(node))
    }

    fn null(span: Span, _head: Span) -> Option<Self> {
        Some(Any {
            kind: super::value::AnyKind::Null,
            span,
        })
    }

    fn empty(span: Span, _head: Span) -> Self {
        Any {
            kind: super::value::AnyKind::Null,
            span,
        }
    }

    fn emit(&self) -> Json {
        self.to_json()
    }

    fn schema(schema: &mut Schema) -> Json {
        let _ = schema;
        Json::Bool(true)
    }
}

impl<T: Surface> Surface for List<T> {
    fn decode(cx: &mut Decoder<'_>, node: NodeId, _head: Span) -> Option<Self> {
        let nodes = cx.sequence(node, T::WORD)?;
        let mut items = Vec::with_capacity(nodes.len());
        for (written, item) in nodes {
            let span = cx.span(item);
            let head = cx.item_head();
            if cx.is_null(item) && cx.tree().node(item).tag.is_none() {
                cx.null_entry(item, T::null(span, span).is_some());
                T::null_item(cx, span);
                items.push(T::empty(span, span));
            } else if let Some(value) = cx.value(written, item, head) {
                items.push(value);
            }
        }
        Some(List {
            items: items.into(),
            span: cx.span(node),
        })
    }

    fn empty(span: Span, _head: Span) -> Self {
        List {
            items: Items::new(),
            span,
        }
    }

    fn emit(&self) -> Json {
        Json::Array(self.items.iter().map(Surface::emit).collect())
    }

    fn schema(schema: &mut Schema) -> Json {
        let of = T::schema(schema);
        schema::list(of)
    }
}

impl<T: Surface> Surface for Map<T> {
    fn decode(cx: &mut Decoder<'_>, node: NodeId, _head: Span) -> Option<Self> {
        let found = cx.named_mapping(node)?;
        let mut entries = Vec::with_capacity(found.len());
        for entry in found {
            let span = cx.span(entry.value);
            if cx.is_null(entry.value) && cx.tree().node(entry.value).tag.is_none() {
                let value = T::null(span, entry.name.span);
                cx.null_entry(entry.value, value.is_some());
                let value = value.unwrap_or_else(|| T::empty(span, entry.name.span));
                entries.push(MapEntry {
                    name: entry.name,
                    value,
                    null: true,
                    broken: false,
                });
            } else {
                cx.comes_under(entry.value, entry.name.as_str());
                let value = cx.value(entry.written, entry.value, entry.name.span);
                // The name stays declared, so that nobody is told that it does not exist.
                let broken = value.is_none();
                let value = value.unwrap_or_else(|| T::empty(span, entry.name.span));
                entries.push(MapEntry {
                    name: entry.name,
                    value,
                    null: false,
                    broken,
                });
            }
        }
        Some(Map {
            entries: entries.into(),
            span: cx.span(node),
        })
    }

    fn empty(span: Span, _head: Span) -> Self {
        Map {
            entries: Items::new(),
            span,
        }
    }

    fn emit(&self) -> Json {
        Json::Object(
            self.entries
                .iter()
                .map(|e| (e.name.text.to_string(), e.value.emit()))
                .collect(),
        )
    }

    fn schema(schema: &mut Schema) -> Json {
        let of = T::schema(schema);
        schema::names(of)
    }
}

impl<T: Surface> Surface for std::sync::Arc<T> {
    const FREE: bool = T::FREE;
    const WORD: &'static str = T::WORD;

    fn null_item(cx: &mut Decoder<'_>, span: Span) {
        T::null_item(cx, span);
    }

    fn decode(cx: &mut Decoder<'_>, node: NodeId, head: Span) -> Option<Self> {
        T::decode(cx, node, head).map(std::sync::Arc::new)
    }

    fn null(span: Span, head: Span) -> Option<Self> {
        T::null(span, head).map(std::sync::Arc::new)
    }

    fn empty(span: Span, head: Span) -> Self {
        std::sync::Arc::new(T::empty(span, head))
    }

    fn emit(&self) -> Json {
        T::emit(self)
    }

    fn schema(schema: &mut Schema) -> Json {
        T::schema(schema)
    }
}

impl<T: Surface> Surface for Box<T> {
    const FREE: bool = T::FREE;
    const WORD: &'static str = T::WORD;

    fn null(span: Span, head: Span) -> Option<Self> {
        T::null(span, head).map(Box::new)
    }

    fn null_item(cx: &mut Decoder<'_>, span: Span) {
        T::null_item(cx, span);
    }

    fn decode(cx: &mut Decoder<'_>, node: NodeId, head: Span) -> Option<Self> {
        T::decode(cx, node, head).map(Box::new)
    }

    fn empty(span: Span, head: Span) -> Self {
        Box::new(T::empty(span, head))
    }

    fn emit(&self) -> Json {
        T::emit(self)
    }

    fn schema(schema: &mut Schema) -> Json {
        T::schema(schema)
    }
}
