//! `initial-unknown`: the `initial` of a compound room names no child (`language` D36).

use super::super::names;
use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "initial-unknown",
    level: Level::Error,
    summary: "a compound room begins in a child that does not exist",
    fixable: Fixable::Sometimes,
};

pub(super) fn check<'a>(room: RoomCx<'a>, out: &mut Vec<Diagnostic>) {
    let body = room.room();
    let Some(initial) = body.initial.as_ref().map(|i| &i.value) else {
        return;
    };
    let compound = body.ty.as_ref().is_some_and(|t| t.text == "compound");
    let templated = initial.is_templated() || initial.text.contains("{%");
    if !compound || initial.text.is_empty() || templated || room.story.story.incomplete.states {
        return;
    }
    let path = format!("{}.{}", room.path(), initial.text);
    if room.story.rooms.contains_key(path.as_str()) {
        return;
    }
    let known = names::of_map(body.states.value());
    let mut lost = names::Lost::new(room.story);
    lost.add(
        initial.as_str(),
        names::Use::whole(initial, room.path(), &RULE, "no child of that name"),
    );
    let words = names::Words {
        kind: "a child",
        kinds: "children",
    };
    let own = room.name().as_str();
    lost.report_with(
        &words,
        &known,
        |finding, name, _| finding.message(format!("room {} has no child {}", code(own), code(name))),
        |used| {
            let spelled = used.spelled(room.story);
            let child = spelled
                .strip_prefix(own)
                .and_then(|rest| rest.strip_prefix('.'))
                .unwrap_or(&spelled);
            let exact = known.iter().find(|k| k.name == child);
            exact
                .map(|k| names::Near {
                    spelling: k.name.to_owned(),
                    at: k.at,
                })
                .or_else(|| names::nearest(child, "", &known))
        },
        out,
    );
}
