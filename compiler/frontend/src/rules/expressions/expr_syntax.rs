//! `expr-syntax`: an expression that cannot be read (`expressions` 3, `language` D49).

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "expr-syntax",
    level: Level::Error,
    summary: "an expression that does not parse",
    fixable: Fixable::Sometimes,
};
