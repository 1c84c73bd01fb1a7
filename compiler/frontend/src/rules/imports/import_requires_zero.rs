//! `import-requires-zero`: a default that says nothing does not count, but an integer zero slips through (`imports` 8.4).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "import-requires-zero",
    level: Level::Warning,
    summary: "a required key whose integer default is zero",
    fixable: Fixable::Never,
};

/// The target of the arc, and the default.
pub(crate) fn at(span: Span, key: &str, default: Span) -> Diagnostic {
    RULE.at(span, "this arc does not set it")
        .message(format!("the required key {} leaves as its default 0", code(key)))
        .label(default, "an integer zero counts as set")
        .note("with `0.0`, `false` or an empty text the story would be refused")
}
