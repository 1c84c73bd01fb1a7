//! `template-block`: braces or blocks of a value template that do not close (`expressions` 8.1, 8.2).

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "template-block",
    level: Level::Error,
    summary: "a brace template whose blocks do not fit",
    fixable: Fixable::Sometimes,
};
