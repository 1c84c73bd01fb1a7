//! What a parallel room needs: two regions, none of them first, none parallel itself (`language` D37, D38, 1.9).

use super::super::prelude::*;

pub(crate) const REGIONS: Rule = Rule {
    id: "parallel-regions",
    level: Level::Error,
    summary: "a parallel room with fewer than two regions",
    fixable: Fixable::Never,
};

pub(crate) const INITIAL: Rule = Rule {
    id: "parallel-initial",
    level: Level::Error,
    summary: "`initial` on a parallel room",
    fixable: Fixable::Never,
};

pub(crate) const NESTED: Rule = Rule {
    id: "nested-parallel",
    level: Level::Warning,
    summary: "a parallel room directly inside of a parallel room",
    fixable: Fixable::Never,
};

pub(super) fn check(room: RoomCx<'_>, out: &mut Vec<Diagnostic>) {
    let body = room.room();
    let Some(ty) = body.ty.as_ref().filter(|t| t.text == "parallel") else {
        return;
    };
    let regions = body.states.value().map_or(0, |s| s.entries.len());
    if regions < 2 && !room.story.story.incomplete.states {
        out.push(
            REGIONS
                .at(ty.span, format!("this room has {regions}"))
                .message("a parallel room needs at least two regions"),
        );
    }
    if let Some(initial) = body.initial.as_ref().filter(|i| !i.text.is_empty()) {
        out.push(
            INITIAL
                .at(initial.key, "all regions are entered at once")
                .message("a parallel room has no `initial`")
                .label(ty.span, "parallel here")
                .help("each region has an `initial` of its own"),
        );
    }
    let outer = room
        .parent()
        .and_then(|p| p.room().ty.as_ref().filter(|t| t.text == "parallel"));
    if let Some(outer) = outer {
        out.push(
            NESTED
                .at(ty.span, "a region that is parallel itself")
                .message("a region of a parallel room cannot be parallel")
                .label(outer.span, "parallel here")
                .note("the story loads, and its session does not start")
                .help("put a compound room between the two"),
        );
    }
}
