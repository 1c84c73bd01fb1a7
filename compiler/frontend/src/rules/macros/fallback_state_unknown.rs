//! `fallback-state-unknown`: a free-form fallback whose room does not exist (`macros` 5.3).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "fallback-state-unknown",
    level: Level::Error,
    summary: "the room of the free-form fallback does not exist",
    fixable: Fixable::Sometimes,
};

/// `near` is a room with a similar path.
pub(crate) fn at(place: Span, state: &str, near: Option<(String, Span)>) -> Diagnostic {
    let finding = RULE
        .at(place, "no such room")
        .message(format!("no room is called {}", code(state)));
    match near {
        Some((near, at)) => finding
            .label(at, "a room with a similar name")
            .fix(Fix::replace(place, near.clone()).title(format!("change it to {}", code(&near)))),
        None => finding.help("name a room by its whole path"),
    }
}
