//! `expr-function`: a call of a function that stories may not call (`expressions` 4.2, 6).

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "expr-function",
    level: Level::Error,
    summary: "a function that stories may not call",
    fixable: Fixable::Sometimes,
};
