//! Synonyms of intents and of enum values (`language` D54 to D57).
//!
//! Four rules over the same lists. Blank phrases match nothing; synonyms of a slot need the values of an enum to stand for.

use super::super::names::{self, Lost, Use, Words};
use super::super::prelude::*;

pub(crate) const BLANK: Rule = rule("synonym-blank", "a blank synonym of an intent");
pub(crate) const NOT_ENUM: Rule = rule("slot-synonyms-not-enum", "synonyms on a slot that is no enum");
pub(crate) const UNKNOWN_VALUE: Rule = rule(
    "slot-synonyms-unknown-value",
    "synonyms of a value that the slot does not take",
);
pub(crate) const SLOT_BLANK: Rule = rule("slot-synonym-blank", "a blank synonym of a value");

const fn rule(id: &'static str, summary: &'static str) -> Rule {
    Rule {
        id,
        level: Level::Error,
        summary,
        fixable: Fixable::Sometimes,
    }
}

pub(super) fn check<'a>(cx: &'a StoryCx<'a>, intent: &'a Intent, out: &mut Vec<Diagnostic>) {
    for phrase in intent
        .synonyms
        .value()
        .into_iter()
        .flat_map(|s| s.iter())
        .filter(|p| p.is_blank())
    {
        out.push(
            BLANK
                .at(phrase.span, "matches nothing")
                .message("a synonym is blank")
                .help("remove it"),
        );
    }
    for slot in intent.slots.value().into_iter().flat_map(|s| s.entries.iter()) {
        slot_synonyms(cx, &slot.value, out);
    }
}

fn slot_synonyms<'a>(cx: &'a StoryCx<'a>, slot: &'a Slot, out: &mut Vec<Diagnostic>) {
    let Some(synonyms) = slot.synonyms.as_ref().filter(|s| !s.entries.is_empty()) else {
        return;
    };
    if slot.ty.as_ref().is_none_or(|t| t.text != "enum") {
        let finding = NOT_ENUM
            .at(synonyms.key, "synonyms of which values?")
            .message("only a slot of the type `enum` has synonyms");
        out.push(match &slot.ty {
            Some(ty) => finding.label(ty.span, "its type"),
            None => finding.help("give the slot `type: enum`"),
        });
        return;
    }
    let values = slot.values.value();
    let known: Vec<names::Known<'a>> = values
        .into_iter()
        .flat_map(|v| v.iter())
        .map(|v| names::Known {
            name: v.as_str(),
            at: Some(v),
        })
        .collect();
    for entry in &synonyms.entries {
        if !known.iter().any(|k| k.name == entry.name.as_str()) {
            let mut lost = Lost::new(cx);
            lost.add(
                entry.name.as_str(),
                Use::whole(&entry.name, "", &UNKNOWN_VALUE, "none of the slot's values"),
            );
            let words = Words {
                kind: "a value",
                kinds: "values",
            };
            lost.report(
                &words,
                &known,
                |finding, name, _| {
                    let finding = finding.message(format!("the slot has no value {}", code(name)));
                    match &slot.values {
                        Some(values) => finding.label(values.value.span, "its values"),
                        None => finding,
                    }
                },
                out,
            );
        }
        for phrase in entry.value.iter().filter(|p| p.is_blank()) {
            out.push(
                SLOT_BLANK
                    .at(phrase.span, "matches nothing")
                    .message("a synonym is blank")
                    .help("remove it"),
            );
        }
    }
}
