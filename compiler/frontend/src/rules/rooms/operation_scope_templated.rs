//! `operation-scope-templated`: the scope of an operation is a template (`language` D45).

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "operation-scope-templated",
    level: Level::Error,
    summary: "a templated scope of an operation",
    fixable: Fixable::Never,
};

pub(super) fn check(room: RoomCx<'_>, out: &mut Vec<Diagnostic>) {
    let scope = room.room().operation.as_ref().and_then(|o| o.scope.as_ref());
    if let Some(scope) = scope.filter(|s| s.is_templated() || s.text.contains("{%")) {
        out.push(
            RULE.at(scope.span, "the same operation must keep the same name")
                .message("the scope of an operation is a literal"),
        );
    }
}
