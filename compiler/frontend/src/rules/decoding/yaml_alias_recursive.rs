//! `yaml-alias-recursive`: `*name` inside of the value of `&name`, outside of free values (`language` 2.2).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "yaml-alias-recursive",
    level: Level::Error,
    summary: "an alias inside of its own anchor",
    fixable: Fixable::Never,
};

/// The alias at `span` stands inside of what the anchor at `anchor` names.
pub(crate) fn at(span: Span, anchor: Span) -> Diagnostic {
    let finding = RULE
        .at(span, "stands for a value around it")
        .message("an anchored value must not contain an alias of itself");
    if anchor == span {
        finding
    } else {
        finding.label(anchor, "the value begins here")
    }
}
