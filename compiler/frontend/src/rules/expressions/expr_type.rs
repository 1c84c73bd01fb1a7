//! `expr-type`: an expression whose types can never fit: a guard that is no bool, operands of different kinds (`expressions` 4.1).

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "expr-type",
    level: Level::Error,
    summary: "an expression whose types can never fit",
    fixable: Fixable::Never,
};
