//! Views as written: a text, elements, or a template with blocks (`language` 3.8).

use serde_json::{Map as JsonMap, Value as Json};

use kitsoki_syntax::{NodeId, NodeKind, Span};

use super::choice::Choice;
use super::decl::{Surface, emit_field};
use super::decode::{Decoder, KeyEntry, Shape};
use super::field::Field;
use super::items::Items;
use super::schema::{self, Schema};
use super::text::{List, Map, Origin, Text};
use super::value::Any;
use crate::rules::decoding;
use crate::surface::Optional;

/// A view of a room or an arc.
#[derive(Clone, PartialEq, Debug)]
pub struct View {
    /// The whole value.
    pub span: Span,
    /// The key.
    pub head: Span,
    /// Which of the forms.
    pub form: ViewForm,
}

/// The forms of a [`View`].
#[derive(Clone, PartialEq, Debug)]
pub enum ViewForm {
    /// A text, a view template; empty means no view.
    Text(Text),
    /// Elements in order.
    Elements(Items<Element>),
    /// A template with blocks.
    Extends {
        /// The template.
        extends: Field<Text>,
        /// Elements per block.
        blocks: Option<Field<Map<List<Element>>>>,
    },
    /// A template file.
    File(Field<Text>),
}

/// One element of a view.
#[derive(Clone, PartialEq, Debug)]
pub struct Element {
    /// The whole mapping.
    pub span: Span,
    /// The kind key.
    pub head: Span,
    /// Whether somebody wrote it.
    pub origin: Origin,
    /// Guard by truthiness.
    pub when: Option<Field<Text>>,
    /// What it shows.
    pub kind: ElementKind,
}

/// The kinds of [`Element`].
#[derive(Clone, PartialEq, Debug)]
pub enum ElementKind {
    /// Running text.
    Prose(Text),
    /// A heading.
    Heading(Text),
    /// Text with its layout kept.
    Code(Text),
    /// Raw template.
    Template(Text),
    /// A list.
    List(Box<ListBody>),
    /// Key-value pairs.
    Kv(Box<Kv>),
    /// A banner.
    Banner(Box<Banner>),
    /// Something to choose.
    Choice(Choice),
    /// A picture, a video, a document.
    Media(Box<Media>),
    /// Reported as faulty.
    Broken,
}

impl ElementKind {
    /// The kind keys.
    pub const WORDS: &'static [&'static str] = &[
        "prose", "heading", "code", "template", "list", "kv", "banner", "choice", "media",
    ];

    /// The kind key of this element; empty for a broken one.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            ElementKind::Prose(_) => "prose",
            ElementKind::Heading(_) => "heading",
            ElementKind::Code(_) => "code",
            ElementKind::Template(_) => "template",
            ElementKind::List(_) => "list",
            ElementKind::Kv(_) => "kv",
            ElementKind::Banner(_) => "banner",
            ElementKind::Choice(_) => "choice",
            ElementKind::Media(_) => "media",
            ElementKind::Broken => "",
        }
    }
}

decl! {
    /// `list`.
    pub struct ListBody("a list element") {
        /// The items.
        "items" => items: List<ListItem>,
        /// Mark before each item.
        "marker" => marker: Text,
    }
}

decl! {
    /// `kv`.
    pub struct Kv("a kv element") {
        /// Pairs in order; values must be texts or null.
        "pairs" => pairs: Map<Any>,
    }
}

decl! {
    /// `banner`.
    pub struct Banner("a banner element") {
        /// The text.
        "text" => text: Text,
        /// Below it.
        "subtitle" => subtitle: Text,
        /// Colour word or template.
        "color" => color: Text,
    }
}

decl! {
    /// `media`.
    pub struct Media("a media element") {
        /// World key or template of the handle.
        "handle" => handle: Text,
        /// Shown below.
        "caption" => caption: Text,
        /// `video`, `image`, `pdf`...
        "kind" => kind: Text,
        /// Path.
        "path" => path: Text,
        /// Intent of an annotation.
        "annotate_intent" => annotate_intent: Text,
        /// Slot of the annotation.
        "annotate_feedback_slot" => annotate_feedback_slot: Text,
        /// Address of the annotation.
        "annotate_url" => annotate_url: Text,
    }
}

/// One item of a list element: a text or `{label, hint, when}`.
#[derive(Clone, PartialEq, Debug)]
pub struct ListItem {
    /// The item.
    pub span: Span,
    /// Its first key, or the item itself.
    pub head: Span,
    /// Shown.
    pub label: Text,
    /// Shown dimmed.
    pub hint: Option<Field<Text>>,
    /// Guard by truthiness.
    pub when: Option<Field<Text>>,
}

impl View {
    /// `true` for the forms that mean "no view".
    #[must_use]
    pub fn is_empty(&self) -> bool {
        match &self.form {
            ViewForm::Text(text) => text.text.is_empty(),
            ViewForm::Elements(elements) => elements.is_empty(),
            _ => false,
        }
    }

    /// A view of elements that the compiler makes.
    #[must_use]
    pub fn made(elements: Vec<Element>, site: Span) -> Self {
        Self {
            span: site,
            head: site,
            form: ViewForm::Elements(elements.into()),
        }
    }

    /// Every element, those of blocks included, with `true` for one inside of a block.
    pub fn elements(&self) -> impl Iterator<Item = (&Element, bool)> {
        let (plain, blocks): (&[Element], Option<&Map<List<Element>>>) = match &self.form {
            ViewForm::Elements(elements) => (elements, None),
            ViewForm::Extends { blocks, .. } => (&[], blocks.value()),
            _ => (&[], None),
        };
        let inside = blocks
            .into_iter()
            .flat_map(|b| b.entries.iter())
            .flat_map(|e| e.value.items.iter());
        plain.iter().map(|e| (e, false)).chain(inside.map(|e| (e, true)))
    }
}

impl Surface for View {
    fn decode(cx: &mut Decoder<'_>, node: NodeId, head: Span) -> Option<Self> {
        let span = cx.span(node);
        let form = match &cx.tree().node(node).kind {
            NodeKind::Scalar(_) => ViewForm::Text(cx.text(node)?),
            NodeKind::Sequence(items) => {
                let items = items.clone();
                ViewForm::Elements(elements(cx, &items).into())
            }
            NodeKind::Mapping(_) => return mapping_view(cx, node, head),
            NodeKind::Alias(_) | NodeKind::Error => return None,
        };
        Some(Self { span, head, form })
    }

    fn empty(span: Span, head: Span) -> Self {
        Self {
            span,
            head,
            form: ViewForm::Elements(Items::new()),
        }
    }

    fn emit(&self) -> Json {
        match &self.form {
            ViewForm::Text(text) => Json::String(text.text.to_string()),
            ViewForm::Elements(elements) => {
                if let [
                    Element {
                        when: None,
                        kind: ElementKind::Template(text),
                        ..
                    },
                ] = elements.as_slice()
                {
                    return Json::String(text.text.to_string());
                }
                Json::Array(elements.iter().map(Surface::emit).collect())
            }
            ViewForm::Extends { extends, blocks } => {
                let mut out = JsonMap::new();
                emit_field(&mut out, "extends", Some(extends));
                emit_field(&mut out, "blocks", blocks.as_ref());
                Json::Object(out)
            }
            ViewForm::File(file) => serde_json::json!({ "template_file": file.text.to_string() }),
        }
    }

    fn schema(schema: &mut Schema) -> Json {
        schema.definition("View", |schema| {
            let elements = List::<Element>::schema(schema);
            let blocks = Map::<List<Element>>::schema(schema);
            let keys = vec![
                ("extends", "Template with blocks.", schema::text()),
                ("blocks", "Elements of each block.", blocks),
                ("template_file", "Template file.", schema::text()),
            ];
            schema::one_of(vec![schema::text(), elements, schema.mapping("a view", keys)])
        })
    }
}

fn elements(cx: &mut Decoder<'_>, items: &[NodeId]) -> Vec<Element> {
    let mut out = Vec::with_capacity(items.len());
    for item in items {
        let item = cx.tree().resolve_alias(*item);
        let head = cx.item_head();
        out.extend(cx.enter(item, |cx| Element::decode(cx, item, head)));
    }
    out
}

fn mapping_view(cx: &mut Decoder<'_>, node: NodeId, head: Span) -> Option<View> {
    let span = cx.span(node);
    cx.shaped(Shape::StrictView, |cx| {
        let entries = cx.fixed_mapping(node, "a view")?;
        let mut extends: Option<Field<Text>> = None;
        let mut blocks: Option<Field<Map<List<Element>>>> = None;
        let mut file: Option<Field<Text>> = None;
        let before = cx.findings.len();
        for entry in &entries {
            match entry.key.as_str() {
                "extends" => extends = cx.field(entry),
                "blocks" => blocks = cx.field(entry),
                "template_file" => file = cx.field(entry),
                _ => cx.findings.push(decoding::view_unknown_key(entry.key_span, &entry.key)),
            }
        }
        let empty = [&extends, &file]
            .into_iter()
            .flatten()
            .find(|f| f.text.is_empty())
            .map(|f| f.value.span);
        let extends = extends.filter(|e| !e.text.is_empty());
        let file = file.filter(|f| !f.text.is_empty());
        match (extends, file) {
            (Some(extends), None) => Some(View {
                span,
                head,
                form: ViewForm::Extends { extends, blocks },
            }),
            (None, Some(file)) if blocks.is_none() => Some(View {
                span,
                head,
                form: ViewForm::File(file),
            }),
            (extends, Some(file)) => {
                let other = extends
                    .map(|e| ("extends", e.key))
                    .or(blocks.map(|b| ("blocks", b.key)));
                cx.findings
                    .extend(other.map(|(word, at)| decoding::view_file_exclusive(file.key, at, word)));
                None
            }
            (None, None) => {
                // An unknown key has been reported; without one the form itself is what is wrong.
                if cx.findings.len() == before {
                    cx.findings.push(decoding::view_form(empty.unwrap_or(span), &entries));
                }
                None
            }
        }
    })
}

impl Surface for Element {
    fn decode(cx: &mut Decoder<'_>, node: NodeId, _head: Span) -> Option<Self> {
        let span = cx.span(node);
        if !matches!(cx.tree().node(node).kind, NodeKind::Mapping(_)) {
            if !cx.is_broken(node) {
                cx.findings.push(decoding::element_not_mapping(span));
            }
            return None;
        }
        let entries = cx.fixed_mapping(node, "a view element")?;
        let mut when = None;
        let mut kinds: Vec<&KeyEntry> = Vec::new();
        let mut other: Vec<&KeyEntry> = Vec::new();
        for entry in &entries {
            match entry.key.as_str() {
                "when" => when = cx.field(entry),
                key if ElementKind::WORDS.contains(&key) => {
                    if !cx.is_null(entry.value) {
                        kinds.push(entry);
                    }
                }
                _ => other.push(entry),
            }
        }
        let first = entries.first().map_or(span, |e| e.key_span);
        let strict = cx.is_shaped(Shape::StrictView);
        let Some(entry) = kinds.first() else {
            cx.findings.push(decoding::element_no_kind(first, span, &entries));
            return Some(Self {
                span,
                head: first,
                origin: Origin::Written,
                when,
                kind: ElementKind::Broken,
            });
        };
        for entry in other {
            cx.findings
                .push(decoding::element_unknown_key(entry.key_span, &entry.key, strict));
        }
        if let Some(second) = kinds.get(1) {
            cx.findings.push(decoding::element_many_kinds(
                second.key_span,
                &second.key,
                entry.key_span,
                &entry.key,
            ));
        }
        let kind = element_kind(cx, entry).unwrap_or(ElementKind::Broken);
        Some(Self {
            span,
            head: entry.key_span,
            origin: Origin::Written,
            when,
            kind,
        })
    }

    fn empty(span: Span, _head: Span) -> Self {
        Self {
            span,
            head: span,
            origin: Origin::Written,
            when: None,
            kind: ElementKind::Broken,
        }
    }

    fn emit(&self) -> Json {
        let mut out = JsonMap::new();
        let body = match &self.kind {
            ElementKind::Prose(t) | ElementKind::Heading(t) | ElementKind::Code(t) | ElementKind::Template(t) => {
                t.emit()
            }
            ElementKind::List(body) => body.emit(),
            ElementKind::Kv(body) => body.emit(),
            ElementKind::Banner(body) => body.emit(),
            ElementKind::Choice(body) => body.emit(),
            ElementKind::Media(body) => body.emit(),
            ElementKind::Broken => Json::Null,
        };
        let mut body = body;
        // A guard inside of a choice wins over the one beside it, and stands there.
        let inner = match (&self.kind, &mut body) {
            (ElementKind::Choice(_), Json::Object(choice)) => choice.shift_remove("when"),
            _ => None,
        };
        out.insert(self.kind.word().to_owned(), body);
        match inner {
            Some(when) => drop(out.insert("when".to_owned(), when)),
            None => emit_field(&mut out, "when", self.when.as_ref()),
        }
        Json::Object(out)
    }

    fn schema(schema: &mut Schema) -> Json {
        schema.definition("Element", |schema| {
            let keys = vec![
                ("when", "Shown only when this is true.", schema::text()),
                ("prose", "Running text.", schema::text()),
                ("heading", "A heading.", schema::text()),
                ("code", "Text with its layout kept.", schema::text()),
                ("template", "Raw template.", schema::text()),
                ("list", "A list.", ListBody::schema(schema)),
                ("kv", "Pairs of a name and a value.", Kv::schema(schema)),
                ("banner", "A banner.", Banner::schema(schema)),
                ("choice", "Something to choose.", Choice::schema(schema)),
                ("media", "A picture, a video, a document.", Media::schema(schema)),
            ];
            schema.mapping("a view element", keys)
        })
    }
}

/// The body of an element; `None` when a fault in it was reported and what it needs is gone with it.
fn body<T: Surface>(cx: &mut Decoder<'_>, node: NodeId, head: Span, lacks: impl Fn(&T) -> bool) -> Option<Box<T>> {
    let before = cx.findings.len();
    let body = cx.lenient(|cx| T::decode(cx, node, head))?;
    let mut new = cx.findings.iter().skip(before);
    let faulty = new.any(|f| f.severity == kitsoki_diagnostics::Level::Error);
    (!faulty || !lacks(&body)).then(|| Box::new(body))
}

fn element_kind(cx: &mut Decoder<'_>, entry: &KeyEntry) -> Option<ElementKind> {
    let (node, head) = (entry.value, entry.key_span);
    Some(match entry.key.as_str() {
        "prose" => ElementKind::Prose(cx.text(node)?),
        "heading" => ElementKind::Heading(cx.text(node)?),
        "code" => ElementKind::Code(cx.text(node)?),
        "template" => ElementKind::Template(cx.text(node)?),
        "list" => ElementKind::List(body(cx, node, head, |b: &ListBody| b.items.is_none())?),
        "kv" => {
            let before = cx.findings.len();
            let kv = body(cx, node, head, |b: &Kv| b.pairs.is_none())?;
            if kv.pairs.is_none() {
                // The pairs themselves stand where `pairs` is due: the rule about empty elements says it once.
                let at = cx.findings.split_off(before);
                cx.findings.extend(
                    at.into_iter()
                        .filter(|f| f.severity == kitsoki_diagnostics::Level::Error),
                );
            }
            ElementKind::Kv(kv)
        }
        "banner" => ElementKind::Banner(body(cx, node, head, |b: &Banner| b.text.is_none())?),
        "media" => ElementKind::Media(body(cx, node, head, |b: &Media| b.handle.is_none())?),
        _ => ElementKind::Choice(Choice::decode(cx, node, head)?),
    })
}

impl Surface for ListItem {
    fn decode(cx: &mut Decoder<'_>, node: NodeId, _head: Span) -> Option<Self> {
        let span = cx.span(node);
        match &cx.tree().node(node).kind {
            NodeKind::Scalar(_) => {
                let label = cx.text(node)?;
                if label.is_blank() {
                    cx.findings.push(decoding::list_item_blank(span));
                }
                Some(Self {
                    span,
                    head: span,
                    label,
                    hint: None,
                    when: None,
                })
            }
            NodeKind::Mapping(_) => cx.shaped(Shape::ListItem, |cx| {
                let entries = cx.fixed_mapping(node, "a list item")?;
                let head = entries.first().map_or(span, |e| e.key_span);
                let mut label: Option<Field<Text>> = None;
                let (mut hint, mut when) = (None, None);
                for entry in &entries {
                    match entry.key.as_str() {
                        "label" => label = cx.field(entry),
                        "hint" => hint = cx.field(entry),
                        "when" => when = cx.field(entry),
                        _ => {
                            cx.unknown_key(entry, "a list item", &["label", "hint", "when"], &entries);
                        }
                    }
                }
                let label = match label {
                    Some(label) if label.value.is_blank() => {
                        cx.findings.push(decoding::list_item_blank(label.value.span));
                        label.into_value()
                    }
                    Some(label) => label.into_value(),
                    None => {
                        cx.findings.push(decoding::list_item_no_label(head));
                        Text::new("", span)
                    }
                };
                Some(Self {
                    span,
                    head,
                    label,
                    hint,
                    when,
                })
            }),
            NodeKind::Error => None,
            _ => {
                cx.findings.push(decoding::list_item_form(span));
                None
            }
        }
    }

    fn null_item(cx: &mut Decoder<'_>, span: Span) {
        cx.findings.push(decoding::list_item_null(span));
    }

    fn empty(span: Span, _head: Span) -> Self {
        Self {
            span,
            head: span,
            label: Text::new("", span),
            hint: None,
            when: None,
        }
    }

    fn emit(&self) -> Json {
        let mut out = JsonMap::new();
        out.insert("label".to_owned(), self.label.emit());
        emit_field(&mut out, "hint", self.hint.as_ref());
        emit_field(&mut out, "when", self.when.as_ref());
        Json::Object(out)
    }

    fn schema(schema: &mut Schema) -> Json {
        schema.definition("ListItem", |schema| {
            let keys = vec![
                ("label", "Shown.", schema::text()),
                ("hint", "Shown dimmed.", schema::text()),
                ("when", "Shown only when this is true.", schema::text()),
            ];
            schema::one_of(vec![schema::text(), schema.mapping("a list item", keys)])
        })
    }
}
