//! `capture-default-intent`: a capturing off-ramp in a room that has a sink for free text already (`macros` 4.2).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "capture-default-intent",
    level: Level::Error,
    summary: "`capture_free_text` beside a written `default_intent`",
    fixable: Fixable::Never,
};

/// `sink` is the key `default_intent`, `capture` the key `capture_free_text`.
pub(crate) fn at(sink: Span, capture: Span) -> Diagnostic {
    RULE.at(sink, "free text goes here already")
        .message("`default_intent` cannot stand beside `capture_free_text`")
        .label(capture, "sets `default_intent` itself")
}
