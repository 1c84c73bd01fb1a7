//! `reach-into-child`: an importer names the alias of an import, or its entry, and nothing deeper (`imports` 13).

use super::super::prelude::*;
use crate::story::Wrapper;

pub(crate) const RULE: Rule = Rule {
    id: "reach-into-child",
    level: Level::Error,
    summary: "an importer's target past a child's entry",
    fixable: Fixable::Never,
};

/// Looks at the story's own rooms.
pub(crate) fn check(cx: &StoryCx<'_>, out: &mut Vec<Diagnostic>) {
    let wrappers: rustc_hash::FxHashMap<&str, &Wrapper> = cx
        .story
        .wrappers
        .iter()
        .filter(|w| w.folded)
        .map(|w| (w.alias.as_str(), w))
        .collect();
    if wrappers.is_empty() {
        return;
    }
    for room in cx.rooms() {
        if room.chain().any(|r| r.room().import_alias.is_some()) {
            continue;
        }
        let mut look = |text: &Text, checked: bool| {
            if let Some(finding) = target(cx, &room, &wrappers, text, checked) {
                out.push(finding);
            }
        };
        let body = room.room();
        for arc in body
            .on
            .iter()
            .flat_map(|on| on.entries.iter())
            .flat_map(|e| e.value.items.iter())
        {
            if let Some(target) = &arc.target {
                look(&target.value, true);
            }
            for effect in arc.effects.iter().flat_map(|l| l.items.iter()) {
                [&effect.on_error, &effect.target]
                    .into_iter()
                    .flatten()
                    .for_each(|t| look(&t.value, false));
            }
        }
        if let Some(target) = body.timeout.as_ref().and_then(|t| t.target.as_ref()) {
            look(&target.value, true);
        }
        for effect in body.on_enter.iter().flat_map(|l| l.items.iter()) {
            [&effect.on_error, &effect.target]
                .into_iter()
                .flatten()
                .for_each(|t| look(&t.value, true));
        }
    }
}

/// `checked`: the reference looks at targets of this position.
fn target(
    cx: &StoryCx<'_>,
    room: &RoomCx<'_>,
    wrappers: &rustc_hash::FxHashMap<&str, &Wrapper>,
    text: &Text,
    checked: bool,
) -> Option<Diagnostic> {
    if text.made.is_some() || text.is_templated() {
        return None;
    }
    let relative = text.as_str().starts_with("..");
    let path = if relative {
        room.resolve(text.as_str())?.to_string()
    } else {
        text.as_str().replace('/', ".")
    };
    let (alias, inside) = path.split_once('.')?;
    let wrapper = wrappers.get(alias)?;
    if inside == wrapper.entry.as_str() {
        return None;
    }
    let finding = RULE
        .at(cx.inside(text), format!("inside of the import {}", code(alias)))
        .message(format!("a room of the importer leads into {}", code(alias)))
        .label(wrapper.entry_span, "its entry")
        .help(format!(
            "lead to {}: the import begins in {}",
            code(alias),
            code(&wrapper.entry)
        ));
    Some(if checked && !relative {
        finding
    } else {
        finding
            .level(Level::Warning)
            .note("the reference does not look at this target")
    })
}
