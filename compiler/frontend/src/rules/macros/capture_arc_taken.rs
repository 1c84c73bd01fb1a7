//! `capture-arc-taken`: a capturing room that declares an arc of the name that the macro makes (`macros` 4.2).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "capture-arc-taken",
    level: Level::Error,
    summary: "a room that has the arc of its capture intent already",
    fixable: Fixable::Never,
};

/// `place` is the author's arc.
pub(crate) fn at(place: Span, name: &str, capture: Span) -> Diagnostic {
    RULE.at(place, "this arc is in the way")
        .message(format!("the arc {} is made by `capture_free_text`", code(name)))
        .label(capture, "makes an arc of that name")
}
