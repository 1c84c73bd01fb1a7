//! `world-inline-default`: a world variable whose only keys look like misspelt ones: the mapping itself becomes the default (`language` 2.7).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "world-inline-default",
    level: Level::Warning,
    summary: "a world variable without any of its keys: the whole mapping is its default",
    fixable: Fixable::Always,
};

/// The key at `span` looks like `near`.
pub(crate) fn at(span: Span, key: &str, near: &str) -> Diagnostic {
    RULE.at(span, "part of the default value")
        .message(format!(
            "a world variable has no key {}: the whole mapping becomes its default",
            code(key)
        ))
        .help(format!("a key with a similar name is {}", code(near)))
        .fix(Fix::replace(span, near).title(format!("change it to {}", code(near))))
}
