//! `meta-mode-trigger-is-intent`: a meta mode without a group whose trigger is a global intent (`language` 4.5, D66).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "meta-mode-trigger-is-intent",
    level: Level::Error,
    summary: "a meta mode's trigger that is an intent",
    fixable: Fixable::Never,
};

/// `intent` is the declaration.
pub(crate) fn at(place: Span, trigger: &str, intent: Span) -> Diagnostic {
    RULE.at(place, "an intent has that name")
        .message(format!("the trigger {} is also an intent", code(trigger)))
        .label(intent, "the intent")
        .help("give the mode a group: a key like `group.trigger`")
}
