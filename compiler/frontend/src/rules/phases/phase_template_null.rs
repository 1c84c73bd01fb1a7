//! `phase-template-null`: the graph uses a template with nothing behind its name; the Go implementation crashes (`macros` 2.10).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "phase-template-null",
    level: Level::Error,
    summary: "a template without a body",
    fixable: Fixable::Never,
};

/// The template's name.
pub(crate) fn at(span: Span, name: &str) -> Diagnostic {
    RULE.at(span, "nothing stands behind it")
        .message(format!("the phase template {} has no body", code(name)))
        .help("a template has `states`")
}
