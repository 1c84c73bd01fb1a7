//! `phase-null`: a graph entry with nothing behind its id (`macros` 2.10).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "phase-null",
    level: Level::Error,
    summary: "a phase without a body",
    fixable: Fixable::Never,
};

/// The phase.
pub(crate) fn at(span: Span, phase: &str) -> Diagnostic {
    RULE.at(span, "nothing stands behind it")
        .message(format!("the phase {} has no body", code(phase)))
        .help("a phase without parameters is `{}`")
}
