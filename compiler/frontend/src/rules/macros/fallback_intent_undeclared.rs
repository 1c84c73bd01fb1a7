//! `fallback-intent-undeclared`: a free-form fallback whose intent nobody declares (`macros` 5.3).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "fallback-intent-undeclared",
    level: Level::Error,
    summary: "the intent of the free-form fallback is not declared",
    fixable: Fixable::Never,
};

/// `arc` is the arc of that name in the room.
pub(crate) fn at(place: Span, intent: &str, arc: Span) -> Diagnostic {
    let finding = RULE
        .at(place, "no such intent")
        .label(arc, "the arc that would be copied");
    if intent == "*" {
        return finding.message("the wildcard is no intent that free text could become");
    }
    finding
        .message(format!("no intent is called {}", code(intent)))
        .help("declare it under `intents`")
}
