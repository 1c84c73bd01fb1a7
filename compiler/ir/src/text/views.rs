//! Views as lines: what is shown, in the order of the page.

use super::{Printer, word};
use crate::view::{Choice, Element, ElementKind, View};

/// A view under `head`.
pub(super) fn view(p: &mut Printer<'_>, head: &str, view: &View) {
    match view {
        View::Text(text) => p.line(format!("{head} {}", p.text(text))),
        View::File(file) => p.line(format!("{head} file {}", word(file))),
        View::Elements(list) => {
            p.line(head);
            p.inner(|p| elements(p, list));
        }
        View::Extends { template, blocks } => {
            p.line(format!("{head} extends {}", word(template)));
            p.inner(|p| {
                for (block, list) in blocks {
                    p.line(format!("block {}", word(block)));
                    p.inner(|p| elements(p, list));
                }
            });
        }
    }
}

fn elements(p: &mut Printer<'_>, elements: &[Element]) {
    for element in elements {
        p.from(element.at, |p| one(p, element));
    }
}

fn one(p: &mut Printer<'_>, element: &Element) {
    let when = element.when.map(|w| format!(" when {}", p.expr(w))).unwrap_or_default();
    match &element.show {
        ElementKind::Prose(text) => p.line(format!("prose {}{when}", p.text(text))),
        ElementKind::Heading(text) => p.line(format!("heading {}{when}", p.text(text))),
        ElementKind::Code(text) => p.line(format!("code {}{when}", p.text(text))),
        ElementKind::Template(text) => p.line(format!("template {}{when}", p.text(text))),
        ElementKind::Banner { text, subtitle, .. } => {
            p.line(format!("banner {} {}{when}", p.text(text), p.text(subtitle)));
        }
        ElementKind::Media(media) => p.line(format!("media {}{when}", p.text(&media.handle))),
        ElementKind::Kv(pairs) => {
            p.line(format!("kv{when}"));
            p.inner(|p| {
                for (key, value) in pairs {
                    p.line(format!("{}: {}", word(key), p.text(value)));
                }
            });
        }
        ElementKind::List { items, .. } => {
            p.line(format!("list{when}"));
            p.inner(|p| {
                for item in items {
                    let when = item.when.map(|w| format!(" when {}", p.expr(w))).unwrap_or_default();
                    p.line(format!("- {}{when}", p.text(&item.label)));
                }
            });
        }
        ElementKind::Choice(choice) => self::choice(p, choice, &when),
    }
}

fn choice(p: &mut Printer<'_>, choice: &Choice, outer: &str) {
    let when = choice
        .when
        .map_or_else(|| outer.to_owned(), |w| format!(" when {}", p.expr(w)));
    let intent = if choice.intent.is_empty() {
        String::new()
    } else {
        format!(" {}", word(&choice.intent))
    };
    p.line(format!("choice{intent} {}{when}", p.text(&choice.prompt)));
    p.inner(|p| {
        for item in &choice.items {
            let when = item.when.map(|w| format!(" when {}", p.expr(w))).unwrap_or_default();
            let slots: Vec<_> = item
                .slots
                .iter()
                .map(|(k, v)| format!("{}: {}", word(k), p.value(v)))
                .collect();
            let slots = if slots.is_empty() {
                String::new()
            } else {
                format!(" ({})", slots.join(", "))
            };
            let what = if item.intent.is_empty() {
                word(&item.value)
            } else {
                word(&item.intent)
            };
            p.line(format!("- {} {what}{slots}{when}", p.text(&item.label)));
        }
        for (name, field) in &choice.fields {
            p.line(format!("field {}: {}", word(name), word(&field.ty)));
        }
    });
}
