//! `phase-intents-not-merged`: a room that exists is kept as it is (`macros` 2.3).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "phase-intents-not-merged",
    level: Level::Warning,
    summary: "checkpoint intents do not reach a hand-written room",
    fixable: Fixable::Never,
};

/// The hand-written room.
pub(crate) fn at(span: Span, room: &str) -> Diagnostic {
    RULE.at(span, "kept as it is")
        .message(format!(
            "the checkpoint intents do not reach the hand-written room {}",
            code(room)
        ))
        .help("declare them under its own `intents`")
}
