//! `prerequisite-action-intent-undeclared`: the action of a prerequisite is no intent (`language` D13). Found by
//! [`super::intents`].

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "prerequisite-action-intent-undeclared",
    level: Level::Error,
    summary: "the action of a prerequisite names no intent",
    fixable: Fixable::Sometimes,
};
