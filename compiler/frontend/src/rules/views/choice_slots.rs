//! What a choice binds: slots, values and fields that the intent has (`language` 3.9).
//!
//! Only choices whose structure is sound are looked at, and only those whose intent exists; a missing intent is
//! `choice-intent-undeclared`.

use kitsoki_syntax::{TextRange, TextSize};
use rustc_hash::FxHashMap;

use super::super::names::{self, Known, Lost, Use, Words};
use super::super::prelude::*;
use super::super::words::list;

pub(crate) const SLOT_UNDECLARED: Rule = rule(
    "choice-slot-undeclared",
    "a choice binds a slot that the intent does not have",
);
pub(crate) const ENUM_VALUE: Rule = rule(
    "choice-enum-value",
    "a choice binds a value that the slot does not take",
);
pub(crate) const PARAM_BOUND_TWICE: Rule = rule("choice-param-bound-twice", "a slot that is both bound and asked for");
pub(crate) const VALUE_TEMPLATED: Rule = rule("choice-value-templated", "a templated value of a multi choice");
pub(crate) const FIELD_UNDECLARED: Rule = rule("choice-field-undeclared", "a form field that is no slot of the intent");
pub(crate) const PLACEHOLDER_UNDECLARED: Rule = rule(
    "choice-placeholder-undeclared",
    "a place in a form template without a field",
);

const fn rule(id: &'static str, summary: &'static str) -> Rule {
    Rule {
        id,
        level: Level::Error,
        summary,
        fixable: Fixable::Sometimes,
    }
}

pub(super) fn check<'a>(room: RoomCx<'a>, choice: &'a Choice, out: &mut Vec<Diagnostic>) {
    let intent = |value: Option<&'a Field<Any>>| {
        let name = value.and_then(|v| v.value.as_text())?;
        Some((name, room.intent(name.as_str())?))
    };
    match choice.mode() {
        Some(ChoiceMode::Single) => {
            for item in choice.items.value().into_iter().flat_map(|i| i.iter()) {
                if let Some((name, intent)) = intent(item.intent.as_ref()) {
                    single(room, item, name, intent, out);
                }
            }
        }
        Some(ChoiceMode::Multi) => {
            if let (Some((name, intent)), Some(slot)) = (intent(choice.intent.as_ref()), text(choice.slot.as_ref())) {
                slot_exists(room, slot, name, intent, &SLOT_UNDECLARED, out);
            }
            for item in choice.items.value().into_iter().flat_map(|i| i.iter()) {
                let value = text(item.value.as_ref());
                if let Some(value) = value.filter(|v| v.is_templated() || v.text.contains("{%")) {
                    out.push(
                        VALUE_TEMPLATED
                            .at(value.span, "a template")
                            .message("a value of a multi choice is a literal"),
                    );
                }
            }
        }
        Some(ChoiceMode::Form) => {
            let readonly = |f: &ChoiceField| f.readonly.as_ref().is_some_and(|r| r.kind == AnyKind::Bool(true));
            if let Some((name, intent)) = intent(choice.intent.as_ref()) {
                for field in choice
                    .fields
                    .iter()
                    .flat_map(|f| f.entries.iter())
                    .filter(|f| !readonly(&f.value))
                {
                    slot_exists(room, &field.name, name, intent, &FIELD_UNDECLARED, out);
                }
                placeholders(room, choice, out);
            }
        }
        None => {}
    }
}

fn text(value: Option<&Field<Any>>) -> Option<&Text> {
    value.and_then(|v| v.value.as_text())
}

fn single<'a>(room: RoomCx<'a>, item: &'a ChoiceItem, name: &Text, intent: &'a Intent, out: &mut Vec<Diagnostic>) {
    for bound in item.slots.iter().flat_map(|s| s.entries.iter()) {
        if !slot_exists(room, &bound.name, name, intent, &SLOT_UNDECLARED, out) {
            continue;
        }
        let slot = intent.slots.value().and_then(|s| s.get(bound.name.as_str()));
        if let (Some(slot), Some(value)) = (slot, bound.value.as_text()) {
            enum_value(room.story, slot, value, out);
        }
    }
    let Some(slot) = item.param.as_ref().and_then(|p| text(p.slot.as_ref())) else {
        return;
    };
    slot_exists(room, slot, name, intent, &SLOT_UNDECLARED, out);
    if let Some(bound) = item.slots.as_ref().and_then(|s| s.value.entry(slot.as_str())) {
        out.push(
            PARAM_BOUND_TWICE
                .at(room.story.inside(slot), "asked for here")
                .message(format!("the slot {} is both bound and asked for", code(slot.as_str())))
                .label(bound.name.span, "bound here")
                .help("keep one of the two"),
        );
    }
}

/// The load compares values of the type `enum` only; the submit compares those of every slot with `values`.
fn enum_value<'a>(cx: &'a StoryCx<'a>, slot: &'a Slot, value: &'a Text, out: &mut Vec<Diagnostic>) {
    let Some(values) = slot.values.as_ref().filter(|v| !v.is_empty()) else {
        return;
    };
    let templated = value.is_templated() || value.text.contains("{%");
    if templated || values.iter().any(|v| v.text == value.text) {
        return;
    }
    let is_enum = slot.ty.as_ref().is_some_and(|t| t.text == "enum");
    let known: Vec<Known<'a>> = values
        .iter()
        .map(|v| Known {
            name: v.as_str(),
            at: Some(v),
        })
        .collect();
    let mut lost = Lost::new(cx);
    let used = Use::whole(value, "", &ENUM_VALUE, "none of the values");
    lost.add(
        value.as_str(),
        used.level(if is_enum { Level::Error } else { Level::Warning }),
    );
    let words = Words {
        kind: "a value",
        kinds: "values",
    };
    lost.report(
        &words,
        &known,
        |finding, spelled, used| {
            let finding = finding
                .message(format!("the slot does not take {}", code(spelled)))
                .label(values.key, "the values of the slot");
            if used.level == Level::Warning {
                finding.note("submitting it is refused")
            } else {
                finding
            }
        },
        out,
    );
}

fn slot_exists<'a>(
    room: RoomCx<'a>,
    slot: &'a Text,
    name: &Text,
    intent: &'a Intent,
    rule: &'static Rule,
    out: &mut Vec<Diagnostic>,
) -> bool {
    let slots = intent.slots.value();
    if room.story.is_faulty(intent.span) {
        return true;
    }
    if slots.is_some_and(|s| s.has(slot.as_str())) {
        return true;
    }
    let known = names::of_map(slots);
    let mut lost = Lost::new(room.story);
    let label = if rule.id == FIELD_UNDECLARED.id {
        "a field without a slot"
    } else {
        "no such slot"
    };
    lost.add(slot.as_str(), Use::whole(slot, room.path(), rule, label));
    let words = Words {
        kind: "a slot",
        kinds: "slots",
    };
    let spelled = names::spelled(room.story, name);
    lost.report(
        &words,
        &known,
        |finding, slot, _| {
            let finding = finding.message(format!("the intent {} has no slot {}", code(&spelled), code(slot)));
            match known.first().and_then(|k| k.at) {
                Some(first) => finding.label(first.span, "its slots begin here"),
                None => finding,
            }
        },
        out,
    );
    false
}

/// Every `{name}` of a form's template is a field.
fn placeholders<'a>(room: RoomCx<'a>, choice: &'a Choice, out: &mut Vec<Diagnostic>) {
    let Some(template) = text(choice.template.as_ref()) else {
        return;
    };
    let fields: FxHashMap<&str, &Text> = choice
        .fields
        .iter()
        .flat_map(|f| f.entries.iter())
        .map(|f| (f.name.as_str(), &f.name))
        .collect();
    let known = names::of_map(choice.fields.value());
    for (start, name) in places(template.as_str()) {
        if fields.contains_key(name) {
            continue;
        }
        let size = |n: usize| TextSize::new(u32::try_from(n).unwrap_or(u32::MAX));
        let whole = room
            .story
            .place(template, TextRange::new(size(start), size(start + name.len() + 2)));
        let finding = PLACEHOLDER_UNDECLARED
            .at(whole, "no field fills this place")
            .message(format!("the form has no field {}", code(name)));
        out.push(match names::nearest(name, "", &known) {
            Some(near) => {
                let inner = room
                    .story
                    .place(template, TextRange::new(size(start + 1), size(start + 1 + name.len())));
                let finding = finding.help(format!("change it to {}", code(&near.spelling))).fix(
                    Fix::replace(inner, near.spelling.clone()).title(format!("change it to {}", code(&near.spelling))),
                );
                match near.at {
                    Some(at) => finding.label(at.span, "a field with a similar name"),
                    None => finding,
                }
            }
            None => {
                let names: Vec<&str> = known.iter().map(|k| k.name).take(8).collect();
                let finding = finding.help(format!("its fields are {}", list(&names)));
                match known.first().and_then(|k| k.at) {
                    Some(first) => finding.label(first.span, "its fields begin here"),
                    None => finding,
                }
            }
        });
    }
}

/// The `{name}` places of a form template with the offsets of their braces.
fn places(template: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(open) = template.get(at..).and_then(|rest| rest.find('{')) {
        let start = at + open;
        let rest = template.get(start + 1..).unwrap_or_default();
        let end = rest
            .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
            .unwrap_or(rest.len());
        let (name, tail) = rest.split_at(end);
        if tail.starts_with('}') && super::choices::is_name(name) {
            found.push((start, name));
        }
        at = start + 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::places;

    #[test]
    fn only_identifiers_between_single_braces_are_places() {
        let found: Vec<&str> = places("{a} {$b} {{ c }} {d_1}{2} {e")
            .into_iter()
            .map(|(_, n)| n)
            .collect();
        assert_eq!(found, ["a", "d_1"]);
    }
}
