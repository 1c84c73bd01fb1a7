//! `meta-mode-key-mismatch`: the key `group.trigger` of a meta mode and what it says inside (`language` 4.5, D64).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "meta-mode-key-mismatch",
    level: Level::Error,
    summary: "a dotted meta-mode key that disagrees with its group or trigger",
    fixable: Fixable::Sometimes,
};

/// `word` is `group` or `trigger`; `written` stands there, `wanted` in the key.
pub(crate) fn at(place: Span, key: Span, word: &str, written: &str, wanted: &str) -> Diagnostic {
    RULE.at(place, format!("the key says {}", code(wanted)))
        .message(format!("the {word} {} disagrees with the mode's key", code(written)))
        .label(key, "the part before the first dot is the group, the rest the trigger")
        .fix(Fix::replace(place, wanted).title(format!("change it to {}", code(wanted))))
}

/// An imported mode: the import renamed its key, and the written group stayed.
pub(crate) fn under_import(group_key: Span, key: Span, group: &str) -> Diagnostic {
    RULE.at(group_key, "does not follow the import")
        .message(format!(
            "under this import the mode belongs to the group {}",
            code(group)
        ))
        .label(key, "the key gets the import's alias")
        .help("leave `group` out: the key supplies it")
}
