//! `list-item-invalid`: a list item that is blank, has no label, or has an unknown key (`language` Y10).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "list-item-invalid",
    level: Level::Error,
    summary: "a list item that is blank, has no label, or an unknown key",
    fixable: Fixable::Sometimes,
};

/// The item or its label at `span` is blank.
pub(crate) fn blank(span: Span) -> Diagnostic {
    RULE.at(span, "nothing to show").message("a list item is blank")
}

/// The item has no label; its first key stands at `span`.
pub(crate) fn no_label(span: Span) -> Diagnostic {
    RULE.at(span, "this item has no label")
        .message("a list item has no `label`")
}

/// The item at `span` is neither a text nor a mapping.
pub(crate) fn form(span: Span) -> Diagnostic {
    RULE.at(span, "neither")
        .message("a list item is a text or a mapping")
        .help("its keys are `label`, `hint` and `when`")
}

/// An unknown key of an item.
pub(crate) fn key(span: Span, key: &str, keys: &[&str]) -> Diagnostic {
    let finding = RULE
        .at(span, "no key of a list item")
        .message(format!("a list item has no key {}", code(key)));
    super::unknown_key::offer(finding, span, key, keys)
}

/// The item at `span` says nothing: the reference shows it with an empty label.
pub(crate) fn null(span: Span) -> Diagnostic {
    RULE.at(span, "nothing to show")
        .level(Level::Warning)
        .message("a list item says nothing")
        .note("it is shown with an empty label")
}
