//! `capture-intent-taken`: the intent that `capture_free_text` makes has the name of another global intent (`macros` 4.2).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "capture-intent-taken",
    level: Level::Error,
    summary: "a capture intent whose name is taken",
    fixable: Fixable::Never,
};

/// The author declares an intent of that name.
pub(crate) fn at(place: Span, name: &str, capture: Span) -> Diagnostic {
    RULE.at(place, "this intent is in the way")
        .message(format!("the intent {} is made by `capture_free_text`", code(name)))
        .label(capture, "makes an intent of that name")
        .help("rename the declared intent: the made one is always the room's name and `_discuss`")
}

/// Another room of the same name captures too.
pub(crate) fn by_capture(place: Span, name: &str, first: Span) -> Diagnostic {
    RULE.at(place, "the second room of its name that captures")
        .message(format!("two rooms want to make the intent {}", code(name)))
        .label(first, "the first one")
        .note("the intent carries the room's own name only, without the aliases of imports")
        .help("rename one of the rooms, or let only one of them capture")
}
