//! `host-binding-form`: a `host_bindings` value that is neither a name nor `{script: path}` (`imports` 2.1).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "host-binding-form",
    level: Level::Error,
    summary: "a host binding without a script",
    fixable: Fixable::Never,
};

/// The binding at `span`.
pub(crate) fn at(span: Span) -> Diagnostic {
    RULE.at(span, "no handler and no script")
        .message("a host binding is a handler name or `{ script: file.star }`")
}
