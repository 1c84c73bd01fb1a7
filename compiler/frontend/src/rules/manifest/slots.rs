//! Slots of intents: their type words and defaults (`language` 3.5).

use super::super::names::unknown_word;
use super::super::prelude::*;

pub(crate) const TYPE_UNKNOWN: Rule = Rule {
    id: "slot-type-unknown",
    level: Level::Warning,
    summary: "a slot type that means nothing",
    fixable: Fixable::Sometimes,
};

pub(crate) const DEFAULT_REQUIRED: Rule = Rule {
    id: "slot-default-required",
    level: Level::Warning,
    summary: "the default of a required slot is never used",
    fixable: Fixable::Never,
};

pub(crate) const DEFAULT_VALUE: Rule = Rule {
    id: "slot-default-value",
    level: Level::Warning,
    summary: "the default of a slot is none of its values",
    fixable: Fixable::Sometimes,
};

const TYPES: [&str; 16] = [
    "string", "text", "int", "integer", "float", "number", "bool", "boolean", "enum", "date", "money", "$int", "list",
    "array", "object", "any",
];

const OFFERED: [&str; 8] = ["string", "int", "float", "bool", "enum", "date", "money", "list"];

pub(super) fn check(cx: &StoryCx<'_>, out: &mut Vec<Diagnostic>) {
    let global = cx
        .story
        .manifest
        .intents
        .value()
        .into_iter()
        .flat_map(|i| i.entries.iter());
    let local = cx
        .rooms()
        .flat_map(|r| r.room().intents.iter().flat_map(|i| i.entries.iter()));
    for intent in global.chain(local) {
        for slot in intent.value.slots.value().into_iter().flat_map(|s| s.entries.iter()) {
            if slot.value.origin.is_written() && slot.name.made.is_none() {
                one(cx, &slot.value, out);
            }
        }
    }
}

fn one(cx: &StoryCx<'_>, slot: &Slot, out: &mut Vec<Diagnostic>) {
    if let Some(ty) = slot.ty.as_ref().filter(|t| !t.is_blank()) {
        let word = ty.text.trim().to_ascii_lowercase();
        let of_list = word.starts_with("list[") && word.ends_with(']');
        if !of_list && !TYPES.contains(&word.as_str()) {
            let finding = unknown_word(cx, &TYPE_UNKNOWN, &ty.value, "type of a slot", &OFFERED);
            out.push(finding.note("the load accepts any word and takes the slot for a text"));
        }
    }
    let Some(default) = slot.default.as_ref().filter(|d| d.kind != AnyKind::Null) else {
        return;
    };
    if let Some(required) = slot.required.as_ref().filter(|r| r.value.value) {
        out.push(
            DEFAULT_REQUIRED
                .at(default.key, "never filled in")
                .message("a required slot does not use its default")
                .label(required.key, "it must be given")
                .help("leave out one of the two"),
        );
    }
    let Some(values) = slot.values.as_ref().filter(|v| !v.is_empty()) else {
        return;
    };
    let Some(text) = default.value.as_text() else { return };
    if !text.is_templated() && !values.iter().any(|v| v.text == text.text) {
        let known: Vec<&str> = values.iter().map(Text::as_str).collect();
        let finding = DEFAULT_VALUE
            .at(default.value.span, "none of the values")
            .message(format!(
                "the default {} is none of the slot's values",
                code(text.as_str())
            ))
            .label(values.key, "the values of the slot")
            .note("submitting the intent without the slot is refused");
        out.push(match super::super::words::did_you_mean(text.as_str(), known) {
            Some(near) => {
                finding.fix(Fix::replace(cx.inside(text), near).title(format!("change it to {}", code(near))))
            }
            None => finding,
        });
    }
}
