//! `choice-intent-undeclared`: a `choice` names an intent that is not in scope (`language` 3.9). Found by
//! [`super::super::rooms::intents`].

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "choice-intent-undeclared",
    level: Level::Error,
    summary: "a choice names an intent that does not exist",
    fixable: Fixable::Sometimes,
};
