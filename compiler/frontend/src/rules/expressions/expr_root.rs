//! `expr-root`: a chain that begins with a name that expressions do not have (`expressions` 4.2).

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "expr-root",
    level: Level::Error,
    summary: "member access on a name that expressions do not have",
    fixable: Fixable::Sometimes,
};
