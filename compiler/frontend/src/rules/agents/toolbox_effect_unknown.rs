//! `toolbox-effect-unknown`: the `effect` of a toolbox is not one of the four classes (`language` 4.1 A2).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "toolbox-effect-unknown",
    level: Level::Error,
    summary: "a toolbox `effect` that is no class",
    fixable: Fixable::Sometimes,
};

/// The word.
pub(crate) fn at(span: Span, word: &str) -> Diagnostic {
    super::unknown_class(RULE.at(span, "no effect class"), span, word)
}
