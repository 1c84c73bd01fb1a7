//! Proposals: the words of their schema and where they go on (`language` 3.21).

use super::super::names::{self, Known, Lost, Use, Words, unknown_word};
use super::super::prelude::*;

pub(crate) const SCHEMA_TYPE: Rule = Rule {
    id: "proposal-schema-type",
    level: Level::Warning,
    summary: "a word in a proposal's schema that is no type",
    fixable: Fixable::Sometimes,
};

pub(crate) const ON_SUCCESS_UNKNOWN: Rule = Rule {
    id: "on-success-unknown",
    level: Level::Warning,
    summary: "a proposal goes on in a room that does not exist",
    fixable: Fixable::Sometimes,
};

const TYPES: [&str; 11] = [
    "string", "int", "integer", "number", "float", "bool", "boolean", "list", "array", "map", "object",
];
const OFFERED: [&str; 6] = ["string", "int", "number", "bool", "list", "map"];

pub(super) fn check<'a>(cx: &'a StoryCx<'a>, out: &mut Vec<Diagnostic>) {
    let mut lost = Lost::new(cx);
    for proposal in cx
        .story
        .manifest
        .proposals
        .value()
        .into_iter()
        .flat_map(|p| p.entries.iter())
    {
        for field in proposal.value.schema.value().into_iter().flat_map(|s| s.entries.iter()) {
            if !TYPES.contains(&field.value.text.trim().to_ascii_lowercase().as_str()) {
                let finding = unknown_word(cx, &SCHEMA_TYPE, &field.value, "type of a proposal's field", &OFFERED);
                out.push(finding.note("the load does not look; the proposal fails when it is drafted"));
            }
        }
        let execute = proposal.value.execute.value();
        if let Some(next) = execute.and_then(|e| e.on_success.as_ref()).map(|n| &n.value) {
            let word = ["", "stay", "back"].contains(&next.as_str());
            if !word && !next.is_templated() && !cx.rooms.contains_key(next.as_str()) && !cx.story.incomplete.states {
                lost.add(next.as_str(), Use::whole(next, "", &ON_SUCCESS_UNKNOWN, "no such room"));
            }
        }
    }
    let mut known: Vec<Known<'a>> = cx
        .rooms
        .values()
        .filter(|e| e.name.made.is_none())
        .map(|e| Known {
            name: e.path.as_str(),
            at: Some(e.name),
        })
        .collect();
    known.extend(names::of_words(&["stay", "back"]));
    let words = Words {
        kind: "a room",
        kinds: "rooms",
    };
    lost.report(
        &words,
        &known,
        |finding, name, _| {
            finding
                .message(format!("no room is called {}", code(name)))
                .note("`stay` and `back` are the two words that name no room")
        },
        out,
    );
}
