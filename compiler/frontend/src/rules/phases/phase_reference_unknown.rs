//! `phase-reference-unknown`: only one reference alone in its braces is replaced, and only when it exists (`macros` 2.4).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "phase-reference-unknown",
    level: Level::Warning,
    summary: "a placeholder that nothing replaces",
    fixable: Fixable::Never,
};

/// The braces.
pub(crate) fn at(span: Span, text: &str) -> Diagnostic {
    let finding = RULE
        .at(span, "stays as it is")
        .message(format!("nothing replaces {}", code(text)));
    if text.contains("phase.") {
        finding.help("the arc must stand under `next` of the phase")
    } else {
        finding.help("write one parameter alone, as in `{{ tpl.name }}`")
    }
}
