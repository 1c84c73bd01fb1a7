//! `include-phases-twice`: at most one of the merged files may hold the phase graph (`language` 1.5).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "include-phases-twice",
    level: Level::Error,
    summary: "a second file declares `phases`",
    fixable: Fixable::Never,
};

/// The second `phases` key.
pub(crate) fn at(second: Span, first: Span) -> Diagnostic {
    RULE.at(second, "a second graph")
        .message("`phases` is already declared in another file of this story")
        .label(first, "declared first")
        .help("put all phases into one graph")
}
