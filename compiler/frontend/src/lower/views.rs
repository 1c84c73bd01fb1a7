//! Views and choices.

use kitsoki_ir::view::{ChoiceField, ChoiceItem, ChoiceMode, ChoiceParam, ListItem, Media};
use kitsoki_ir::{Choice, Element, ElementKind, Value, View};
use smol_str::SmolStr;

use super::code::literal;
use super::{Lowering, text};
use crate::surface::{self, Any, AnyKind, Field, ViewForm};

/// A view; `None` for one that shows nothing.
pub(super) fn view(cx: &mut Lowering<'_>, imports: &[SmolStr], view: &surface::View) -> Option<View> {
    if view.is_empty() {
        return None;
    }
    Some(match &view.form {
        ViewForm::Text(text) => View::Text(cx.code.view(&text.text)),
        ViewForm::Elements(list) => View::Elements(elements(cx, imports, list)),
        ViewForm::Extends { extends, blocks } => View::Extends {
            template: extends.value.text.clone(),
            blocks: blocks
                .iter()
                .flat_map(|b| b.value.entries.iter())
                .map(|e| (e.name.text.clone(), elements(cx, imports, &e.value.items)))
                .collect(),
        },
        ViewForm::File(file) => View::File(file.value.text.clone()),
    })
}

fn elements(cx: &mut Lowering<'_>, imports: &[SmolStr], list: &[surface::Element]) -> Vec<Element> {
    list.iter()
        .filter_map(|e| {
            let show = kind(cx, &e.kind)?;
            Some(Element {
                at: cx.places.node(e.origin, e.head, imports),
                when: cx.code.truthy(&e.when),
                show,
            })
        })
        .collect()
}

fn kind(cx: &mut Lowering<'_>, kind: &surface::ElementKind) -> Option<ElementKind> {
    use surface::ElementKind as Written;
    Some(match kind {
        Written::Prose(t) => ElementKind::Prose(cx.code.view(&t.text)),
        Written::Heading(t) => ElementKind::Heading(cx.code.view(&t.text)),
        Written::Code(t) => ElementKind::Code(cx.code.view(&t.text)),
        Written::Template(t) => ElementKind::Template(cx.code.view(&t.text)),
        Written::List(list) => ElementKind::List {
            marker: text(&list.marker),
            items: list
                .items
                .iter()
                .flat_map(|i| i.value.items.iter())
                .map(|i| ListItem {
                    label: cx.code.view(&i.label.text),
                    hint: cx.code.view_field(&i.hint),
                    when: cx.code.truthy(&i.when),
                })
                .collect(),
        },
        Written::Kv(kv) => {
            let pairs = kv.pairs.iter().flat_map(|p| p.value.entries.iter());
            let shown = |cx: &mut Lowering<'_>, any: &Any| any.as_text().map(|t| cx.code.view(&t.text));
            ElementKind::Kv(
                pairs
                    .map(|e| (e.name.text.clone(), shown(cx, &e.value).unwrap_or_default()))
                    .collect(),
            )
        }
        Written::Banner(banner) => ElementKind::Banner {
            text: cx.code.view_field(&banner.text),
            subtitle: cx.code.view_field(&banner.subtitle),
            color: cx.code.view_field(&banner.color),
        },
        Written::Media(media) => ElementKind::Media(Box::new(Media {
            handle: cx.code.view_field(&media.handle),
            caption: cx.code.view_field(&media.caption),
            kind: text(&media.kind),
            path: cx.code.view_field(&media.path),
            annotate_intent: text(&media.annotate_intent),
            annotate_feedback_slot: text(&media.annotate_feedback_slot),
            annotate_url: cx.code.view_field(&media.annotate_url),
        })),
        Written::Choice(choice) => ElementKind::Choice(Box::new(self::choice(cx, choice))),
        Written::Broken => return None,
    })
}

fn choice(cx: &mut Lowering<'_>, choice: &surface::Choice) -> Choice {
    Choice {
        mode: match choice.mode() {
            Some(surface::ChoiceMode::Multi) => ChoiceMode::Multi,
            Some(surface::ChoiceMode::Form) => ChoiceMode::Form,
            _ => ChoiceMode::Single,
        },
        prompt: cx.code.view_any(&choice.prompt),
        when: cx.code.truthy_any(&choice.when),
        intent: word(&choice.intent),
        slot: word(&choice.slot),
        items: choice
            .items
            .iter()
            .flat_map(|i| i.value.items.iter())
            .map(|i| item(cx, i))
            .collect(),
        min: integer(&choice.min),
        max: integer(&choice.max),
        template: cx.code.view_any(&choice.template),
        fields: choice
            .fields
            .iter()
            .flat_map(|f| f.value.entries.iter())
            .map(|e| (e.name.text.clone(), field(cx, &e.value)))
            .collect(),
    }
}

fn item(cx: &mut Lowering<'_>, item: &surface::ChoiceItem) -> ChoiceItem {
    ChoiceItem {
        label: cx.code.view_any(&item.label),
        hint: cx.code.view_any(&item.hint),
        intent: word(&item.intent),
        value: word(&item.value),
        slots: cx.code.view_values(&item.slots),
        when: cx.code.truthy_any(&item.when),
        param: item.param.as_ref().map(|p| ChoiceParam {
            slot: word(&p.value.slot),
            ty: word(&p.value.ty),
            placeholder: cx.code.view_any(&p.value.placeholder),
            required: boolean(&p.value.required),
            values: words(&p.value.values),
        }),
    }
}

fn field(cx: &mut Lowering<'_>, field: &surface::ChoiceField) -> ChoiceField {
    let value = |cx: &mut Lowering<'_>, any: &Option<Field<Any>>| {
        any.as_ref().map(|f| cx.code.view_value(&f.value)).unwrap_or_default()
    };
    ChoiceField {
        ty: word(&field.ty),
        hint: cx.code.view_any(&field.hint),
        placeholder: cx.code.view_any(&field.placeholder),
        unit: word(&field.unit),
        values: words(&field.values),
        default: value(cx, &field.default),
        min: value(cx, &field.min),
        max: value(cx, &field.max),
        required: boolean(&field.required),
        readonly: boolean(&field.readonly),
        expr: cx.code.truthy_any(&field.expr),
        when: cx.code.truthy_any(&field.when),
    }
}

fn word(any: &Option<Field<Any>>) -> SmolStr {
    any.as_ref().and_then(|f| f.value.as_str()).unwrap_or_default().into()
}

fn words(any: &Option<Field<Any>>) -> Vec<SmolStr> {
    let items = any.as_ref().and_then(|f| f.value.as_list()).unwrap_or_default();
    items.iter().filter_map(|i| i.as_str()).map(SmolStr::new).collect()
}

fn boolean(any: &Option<Field<Any>>) -> bool {
    any.as_ref().is_some_and(|f| f.value.kind == AnyKind::Bool(true))
}

/// `min` and `max` of a multi choice are integers after the schema check.
fn integer(any: &Option<Field<Any>>) -> Option<i64> {
    match literal(&any.as_ref()?.value) {
        Value::Int(n) => Some(n),
        #[expect(
            clippy::cast_possible_truncation,
            reason = "saturates, and the schema admits whole numbers only"
        )]
        Value::Float(n) => Some(n as i64),
        _ => None,
    }
}
