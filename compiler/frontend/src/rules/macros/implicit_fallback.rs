//! `implicit-fallback`: a fallback that arises from the names `landing` and `work` (`macros` 5.1).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "implicit-fallback",
    level: Level::Warning,
    summary: "a free-form fallback that nobody asked for",
    fixable: Fixable::Never,
};

/// `arc` is the arc that is copied, `room` the room's name.
pub(crate) fn at(arc: Span, intent: &str, room: Option<Span>) -> Diagnostic {
    let finding = RULE
        .at(arc, "copied into every room that takes no free text itself")
        .message(format!(
            "the names `landing` and {} make a free-form fallback",
            code(intent)
        ))
        .help("write `routing.free_form_fallback` to say so, or rename the room or the intent");
    room.into_iter()
        .fold(finding, |f, at| f.label(at, "the room's name is what counts"))
}
