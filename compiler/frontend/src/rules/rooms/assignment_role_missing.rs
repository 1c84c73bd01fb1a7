//! `assignment-role-missing`: an assignment without a role (`language` D5).

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "assignment-role-missing",
    level: Level::Error,
    summary: "an assignment without a role",
    fixable: Fixable::Never,
};

pub(super) fn check(room: RoomCx<'_>, out: &mut Vec<Diagnostic>) {
    let Some(assignment) = &room.room().assignment else {
        return;
    };
    let at = match &assignment.role {
        Some(role) if !role.is_blank() => return,
        Some(role) => role.span,
        None => assignment.key,
    };
    out.push(
        RULE.at(at, "who is assigned?")
            .message("an assignment needs a `role`")
            .help("write `assignment: { role: name }`"),
    );
}
