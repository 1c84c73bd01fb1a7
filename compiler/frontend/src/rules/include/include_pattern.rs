//! `include-pattern`: a glob pattern with an open class or a lone backslash (`language` 4.1 I1).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "include-pattern",
    level: Level::Error,
    summary: "an include pattern that does not parse",
    fixable: Fixable::Never,
};

/// A malformed pattern.
pub(crate) fn at(span: Span, pattern: &str) -> Diagnostic {
    let what = if pattern.ends_with('\\') {
        "a backslash with nothing behind it"
    } else {
        "an open `[`"
    };
    RULE.at(span, what)
        .message(format!("the include pattern {} does not parse", code(pattern)))
        .help("a pattern may hold `*`, `?` and `[a-z]`; a literal bracket is written `\\[`")
}
