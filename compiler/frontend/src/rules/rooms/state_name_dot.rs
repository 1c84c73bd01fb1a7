//! `state-name-dot`: a room whose name holds a dot, which no path can reach (`language` 3.1).

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "state-name-dot",
    level: Level::Warning,
    summary: "a room name with a dot",
    fixable: Fixable::Never,
};

pub(super) fn check(room: RoomCx<'_>, out: &mut Vec<Diagnostic>) {
    let name = room.name();
    if name.made.is_none() && name.text.contains('.') {
        out.push(
            RULE.at(name.span, "dots separate the steps of a path")
                .message(format!("the room name {} holds a dot", code(name.as_str())))
                .note("a path such as `hall.desk` means the room `desk` inside of `hall`"),
        );
    }
}
