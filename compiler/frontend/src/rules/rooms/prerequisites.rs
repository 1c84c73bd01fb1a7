//! The parts that every prerequisite needs, and those that come from a fixed list (`language` D8 to D12).
//!
//! Five rules over one list; each says its own sentence.

use kitsoki_syntax::Span;
use rustc_hash::FxHashMap;

use super::super::names::unknown_word;
use super::super::prelude::*;

pub(crate) const ID_MISSING: Rule = rule("prerequisite-id-missing", "a prerequisite without an id");
pub(crate) const ID_DUPLICATE: Rule = rule(
    "prerequisite-id-duplicate",
    "two prerequisites of one room with the same id",
);
pub(crate) const TITLE_MISSING: Rule = rule("prerequisite-title-missing", "a prerequisite without a title");
pub(crate) const SEVERITY_UNKNOWN: Rule =
    rule("prerequisite-severity-unknown", "an unknown severity of a prerequisite");
pub(crate) const SATISFIED_WHEN_MISSING: Rule = rule(
    "prerequisite-satisfied-when-missing",
    "a prerequisite that does not say when it is met",
);

const fn rule(id: &'static str, summary: &'static str) -> Rule {
    Rule {
        id,
        level: Level::Error,
        summary,
        fixable: Fixable::Never,
    }
}

/// The severities.
const SEVERITIES: [&str; 4] = ["info", "warning", "warn", "error"];

pub(super) fn check(room: RoomCx<'_>, out: &mut Vec<Diagnostic>) {
    let mut ids: FxHashMap<&str, Span> = FxHashMap::default();
    for p in room.room().prerequisites.value().into_iter().flat_map(|p| p.iter()) {
        if let Some(at) = missing(p.id.as_ref(), p.head) {
            out.push(ID_MISSING.at(at, "no id").message("a prerequisite needs an `id`"));
        } else if let Some(id) = &p.id {
            match ids.get(id.as_str()) {
                Some(first) => out.push(
                    ID_DUPLICATE
                        .at(id.span, "the second one")
                        .message(format!(
                            "two prerequisites of one room are called {}",
                            code(id.as_str())
                        ))
                        .label(*first, "the first one"),
                ),
                None => {
                    ids.insert(id.as_str(), id.span);
                }
            }
        }
        if let Some(at) = missing(p.title.as_ref(), p.head) {
            out.push(
                TITLE_MISSING
                    .at(at, "nothing to show")
                    .message("a prerequisite needs a `title`"),
            );
        }
        if let Some(word) = p
            .severity
            .as_ref()
            .filter(|s| !s.text.is_empty() && !SEVERITIES.contains(&s.as_str()))
        {
            out.push(unknown_word(
                room.story,
                &SEVERITY_UNKNOWN,
                &word.value,
                "severity",
                &SEVERITIES,
            ));
        }
        if let Some(at) = missing(p.satisfied_when.as_ref(), p.head) {
            out.push(
                SATISFIED_WHEN_MISSING
                    .at(at, "when is it met?")
                    .message("a prerequisite needs `satisfied_when`")
                    .help("write an expression that is true when the prerequisite is met"),
            );
        }
    }
}

/// Where a blank or absent text is missing.
fn missing(text: Option<&Field<Text>>, head: Span) -> Option<Span> {
    match text {
        Some(text) if !text.is_blank() => None,
        Some(text) => Some(text.span),
        None => Some(head),
    }
}
