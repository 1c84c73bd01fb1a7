//! `expr-construct`: a lambda, `let` or map literal (`expressions` 4.2).

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "expr-construct",
    level: Level::Error,
    summary: "a construct that stories may not use",
    fixable: Fixable::Never,
};
