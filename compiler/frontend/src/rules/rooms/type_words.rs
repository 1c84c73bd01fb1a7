//! Words that any text passes for and that only some have a meaning: the `type`, `mode` and `theme` of a room
//! (`language` 3.6).

use super::super::names::unknown_word;
use super::super::prelude::*;

pub(crate) const TYPE: Rule = rule("state-type-unknown", "a room type that does not exist");
pub(crate) const MODE: Rule = rule("mode-unknown", "a room mode without a meaning");
pub(crate) const THEME: Rule = rule("theme-unknown", "a theme that does not exist");

const fn rule(id: &'static str, summary: &'static str) -> Rule {
    Rule {
        id,
        level: Level::Warning,
        summary,
        fixable: Fixable::Sometimes,
    }
}

const TYPES: [&str; 3] = ["atomic", "compound", "parallel"];
/// The themes that the reference ships; any other name shows the default one.
const THEMES: [&str; 5] = ["default", "mesa", "meta-blue", "meta-amber", "off-path"];

pub(super) fn check(room: RoomCx<'_>, out: &mut Vec<Diagnostic>) {
    let body = room.room();
    if let Some(word) = body
        .ty
        .as_ref()
        .filter(|t| !t.text.is_empty() && !TYPES.contains(&t.as_str()))
    {
        let finding = unknown_word(room.story, &TYPE, &word.value, "type of room", &TYPES);
        out.push(finding.note("the load accepts any word and takes the room for atomic"));
    }
    if let Some(word) = body
        .mode
        .as_ref()
        .filter(|m| !m.text.is_empty() && m.text != "conversational")
    {
        let finding = unknown_word(room.story, &MODE, &word.value, "mode of a room", &["conversational"]);
        out.push(finding.note("the load accepts any word and ignores it"));
    }
    if let Some(word) = body
        .theme
        .as_ref()
        .filter(|t| room.is_top() && !t.text.is_empty() && !THEMES.contains(&t.as_str()))
    {
        let finding = unknown_word(room.story, &THEME, &word.value, "theme", &THEMES);
        out.push(finding.note("the default theme is shown instead"));
    }
}
