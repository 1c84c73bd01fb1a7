//! `guard-not-bool`: a guard whose value is declared as another kind than bool (`expressions` 5.2).

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "guard-not-bool",
    level: Level::Warning,
    summary: "a guard that reads something that is no bool",
    fixable: Fixable::Never,
};
