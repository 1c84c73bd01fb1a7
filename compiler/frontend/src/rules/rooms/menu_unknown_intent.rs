//! `menu-unknown-intent`: `menu` or `relevant_slots` names nothing (`language` 3.6).
//!
//! Both are documentation. Names in `menu` are found by [`super::intents`], those of slots here.

use super::super::names::{Lost, Use, Words, of_map};
use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "menu-unknown-intent",
    level: Level::Warning,
    summary: "`menu` or `relevant_slots` names nothing",
    fixable: Fixable::Sometimes,
};

pub(super) fn check<'a>(cx: &'a StoryCx<'a>, out: &mut Vec<Diagnostic>) {
    if cx.story.incomplete.intents || cx.story.incomplete.states {
        return;
    }
    let mut lost = Lost::new(cx);
    let mut known = Vec::new();
    let mut gathered = false;
    for room in cx.rooms() {
        let Some(names) = room.room().relevant_slots.value() else {
            continue;
        };
        if !gathered {
            gathered = true;
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
            known = global
                .chain(local)
                .flat_map(|i| of_map(i.value.slots.value()))
                .collect();
        }
        for name in names
            .iter()
            .filter(|n| !n.is_blank() && !known.iter().any(|k| k.name == n.as_str()))
        {
            lost.add(name.as_str(), Use::whole(name, room.path(), &RULE, "no such slot"));
        }
    }
    let words = Words {
        kind: "a slot",
        kinds: "slots",
    };
    lost.report(
        &words,
        &known,
        |f, name, _| f.message(format!("no intent has a slot {}", code(name))),
        out,
    );
}
