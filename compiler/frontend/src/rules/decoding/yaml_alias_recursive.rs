//! `yaml-alias-recursive`: `*name` inside of the value of `&name`, outside of free values (`language` 2.2).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "yaml-alias-recursive",
    level: Level::Error,
    summary: "an alias inside of its own anchor",
    fixable: Fixable::Never,
};

/// The anchored value at `span` contains itself.
pub(crate) fn at(span: Span) -> Diagnostic {
    RULE.at(span, "this value contains itself")
        .message("an anchored value must not contain an alias of itself")
}
