//! A room of a template for one phase: what is copied, substituted and lost (`macros` 2.5).

use std::sync::Arc as Shared;

use super::substitute::Substitution;
use crate::surface::{
    Any, AnyKind, Arc, Banner, Choice, ChoiceBody, Effect, Element, ElementKind, Field, Kv, List, ListBody, ListItem,
    Map, MapEntry, Media, Room, Text, Timeout, View, ViewForm,
};

/// A copy of a room with the values of one phase.
pub(super) fn room(s: &Substitution<'_>, room: &Room) -> Room {
    let timeout = room.timeout.as_ref().map(|t| {
        Field::new(
            t.key,
            Box::new(Timeout {
                after: s.field(&t.value.after),
                target: s.field(&t.value.target),
                cancel_job: t.value.cancel_job.clone(),
                ..Timeout::blank(t.value.span, t.value.head)
            }),
        )
    });
    let states = room.states.as_ref().map(|states| {
        let entries = states.value.entries.iter().map(|e| MapEntry {
            name: e.name.clone(),
            value: Shared::new(self::room(s, &e.value)),
            null: e.null,
            broken: e.broken,
        });
        Field::new(
            states.key,
            Map {
                entries: entries.collect(),
                span: states.value.span,
            },
        )
    });
    Room {
        ty: room.ty.clone(),
        mode: room.mode.clone(),
        terminal: room.terminal.clone(),
        relevant_world: room.relevant_world.clone(),
        relevant_slots: room.relevant_slots.clone(),
        menu: room.menu.clone(),
        intents: room.intents.clone(),
        description: s.field(&room.description),
        initial: s.field(&room.initial),
        view: view(s, &room.view),
        timeout,
        on_enter: s.list(&room.on_enter, |e| effect(s, e)),
        on: s.map(
            &room.on,
            |name| s.text(name),
            |arcs: &Shared<List<Arc>>| {
                Shared::new(List {
                    items: arcs.items.iter().map(|a| arc(s, a)).collect(),
                    span: arcs.span,
                })
            },
        ),
        states,
        ..Room::blank(room.span, room.head)
    }
}

fn arc(s: &Substitution<'_>, arc: &Arc) -> Arc {
    Arc {
        target: s.field(&arc.target),
        when: s.field(&arc.when),
        guard_hint: s.field(&arc.guard_hint),
        view: view(s, &arc.view),
        effects: s.list(&arc.effects, |e| effect(s, e)),
        default: arc.default.clone(),
        emit: arc.emit.clone(),
        push_history: arc.push_history.clone(),
        ..Arc::blank(arc.span, arc.head)
    }
}

/// A copy of an effect.
pub(super) fn effect(s: &Substitution<'_>, effect: &Effect) -> Effect {
    Effect {
        when: s.field(&effect.when),
        invoke: s.field(&effect.invoke),
        say: s.field(&effect.say),
        emit: s.field(&effect.emit),
        on_error: s.field(&effect.on_error),
        target: s.field(&effect.target),
        background: effect.background.clone(),
        set: s.map(&effect.set, |n| s.text(n), |v| s.any(v)),
        increment: s.map(&effect.increment, |n| s.text(n), |v| *v),
        with: s.map(&effect.with, Text::clone, |v| s.any(v)),
        bind: s.map(&effect.bind, |n| s.text(n), |v| s.text(v)),
        on_complete: s.list(&effect.on_complete, |e| self::effect(s, e)),
        ..Effect::blank(effect.span, effect.head)
    }
}

fn view(s: &Substitution<'_>, view: &Option<Field<Box<View>>>) -> Option<Field<Box<View>>> {
    let field = view.as_ref()?;
    let form = match &field.value.form {
        ViewForm::Text(text) => ViewForm::Text(s.text(text)),
        ViewForm::Elements(elements) => ViewForm::Elements(elements.iter().map(|e| element(s, e)).collect()),
        ViewForm::Extends { extends, blocks } => ViewForm::Extends {
            extends: extends.clone(),
            blocks: s.map(blocks, Text::clone, |list: &List<Element>| List {
                items: list.items.iter().map(|e| element(s, e)).collect(),
                span: list.span,
            }),
        },
        // A template file is lost, and the view with it.
        ViewForm::File(_) => return None,
    };
    let (span, head) = (field.value.span, field.value.head);
    Some(Field::new(field.key, Box::new(View { span, head, form })))
}

fn element(s: &Substitution<'_>, element: &Element) -> Element {
    let kind = match &element.kind {
        ElementKind::Prose(text) => ElementKind::Prose(s.text(text)),
        ElementKind::Heading(text) => ElementKind::Heading(s.text(text)),
        ElementKind::Code(text) => ElementKind::Code(s.text(text)),
        ElementKind::Template(text) => ElementKind::Template(s.text(text)),
        ElementKind::List(list) => ElementKind::List(Box::new(ListBody {
            items: s.list(&list.items, |i| item(s, i)),
            ..ListBody::clone(list)
        })),
        ElementKind::Kv(kv) => ElementKind::Kv(Box::new(Kv {
            pairs: s.map(&kv.pairs, Text::clone, |v| leaf(s, v)),
            ..Kv::clone(kv)
        })),
        ElementKind::Banner(banner) => ElementKind::Banner(Box::new(Banner {
            text: s.field(&banner.text),
            subtitle: s.field(&banner.subtitle),
            ..Banner::clone(banner)
        })),
        ElementKind::Media(media) => ElementKind::Media(Box::new(Media {
            caption: s.field(&media.caption),
            path: s.field(&media.path),
            annotate_url: s.field(&media.annotate_url),
            ..Media::clone(media)
        })),
        // Everything inside is lost; the checks of views then say what is missing.
        ElementKind::Choice(choice) => {
            ElementKind::Choice(Choice(Box::new(ChoiceBody::blank(choice.0.span, choice.0.head))))
        }
        ElementKind::Broken => ElementKind::Broken,
    };
    Element {
        kind,
        when: s.field(&element.when),
        ..element.clone()
    }
}

fn item(s: &Substitution<'_>, item: &ListItem) -> ListItem {
    ListItem {
        label: s.text(&item.label),
        hint: s.field(&item.hint),
        when: s.field(&item.when),
        ..item.clone()
    }
}

fn leaf(s: &Substitution<'_>, any: &Any) -> Any {
    match &any.kind {
        AnyKind::Text(_) => s.any(any),
        _ => any.clone(),
    }
}
