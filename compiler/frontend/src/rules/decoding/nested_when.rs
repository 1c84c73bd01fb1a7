//! `nested-when`: `when` inside of the body of `list`, `kv` or `banner` instead of beside it (`language` Y11).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "nested-when",
    level: Level::Error,
    summary: "a guard inside of an element instead of beside it",
    fixable: Fixable::Never,
};

/// The guard at `span` inside of `kind`.
pub(crate) fn at(span: Span, kind: &str) -> Diagnostic {
    RULE.at(span, "one level too deep")
        .message(format!("{kind} has its guard inside"))
        .help("`when` stands beside the kind of the element, not inside of it")
}
