//! `yaml-alias-growth`: the aliases of a file multiply it beyond what is read.

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "yaml-alias-growth",
    level: Level::Error,
    summary: "aliases multiply a file beyond its limit",
    fixable: Fixable::Never,
};

/// The limit was reached at `span`.
pub(crate) fn at(span: Span) -> Diagnostic {
    RULE.at(span, "reading stops here")
        .message("the aliases of this file multiply it by more than 300,000 nodes")
        .help("write the repeated parts once, or as files that are included")
}
