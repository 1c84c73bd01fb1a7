//! `phase-dropped-key`: a template's rooms, arcs and effects keep only some of their keys (`macros` 2.5).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "phase-dropped-key",
    level: Level::Warning,
    summary: "a key that the expansion of a phase drops",
    fixable: Fixable::Never,
};

/// The key.
pub(crate) fn at(span: Span, key: &str) -> Diagnostic {
    RULE.at(span, "dropped")
        .message(format!("{} does not survive in a phase", code(key)))
        .help("write the room by hand under `states`: a room that exists is kept as it is")
}

/// Everything inside of a choice.
pub(crate) fn choice(span: Span) -> Diagnostic {
    RULE.at(span, "everything inside is dropped")
        .message("a choice does not survive in a phase")
        .help("write the room by hand under `states`: a room that exists is kept as it is")
}
