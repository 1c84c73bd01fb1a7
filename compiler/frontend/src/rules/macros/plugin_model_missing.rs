//! `plugin-model-missing`: a `builtin.local_llm` plugin with neither a model nor an address (`language` 4.4, P7).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "plugin-model-missing",
    level: Level::Error,
    summary: "a local model without model and endpoint",
    fixable: Fixable::Never,
};

/// `span` is the word `builtin.local_llm`, or the blank value.
pub(crate) fn at(span: Span) -> Diagnostic {
    RULE.at(span, "needs `model` or `endpoint`")
        .message("a local model plugin names no model")
}
