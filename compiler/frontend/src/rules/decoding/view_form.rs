//! `view-form`: a view that is neither a text nor a list of elements nor `extends:`/`template_file:` (`language` 2.8 Y6).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "view-form",
    level: Level::Error,
    summary: "a view in none of its forms",
    fixable: Fixable::Sometimes,
};

/// What the three forms are.
const FORMS: &str =
    "a view is a text, a list of elements, or a mapping with `extends` (and `blocks`) or `template_file`";

/// The view at `span` has none of the forms.
pub(crate) fn at(span: Span, label: &str) -> Diagnostic {
    RULE.at(span, label)
        .message("this view has none of the forms of a view")
        .help(FORMS)
}

/// An unknown key of the mapping form, or of something below it.
pub(crate) fn key(span: Span, key: &str, keys: &[&str]) -> Diagnostic {
    let finding = RULE
        .at(span, "no key of a view")
        .message(format!("a view has no key {} here", code(key)));
    super::unknown_key::offer(finding, span, key, keys)
}
