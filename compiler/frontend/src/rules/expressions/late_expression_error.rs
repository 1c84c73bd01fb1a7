//! `late-expression-error`: an expression in a place that the reference compiles only when it gets there, or that can only fail (`expressions` 1.1).

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "late-expression-error",
    level: Level::Warning,
    summary: "an expression that fails when it is evaluated",
    fixable: Fixable::Sometimes,
};
