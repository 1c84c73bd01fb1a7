//! `contextual-routing-intent-undeclared`: a lane that is no intent (`language` D17). Found by [`super::intents`].

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "contextual-routing-intent-undeclared",
    level: Level::Error,
    summary: "a lane of contextual routing that is no intent",
    fixable: Fixable::Sometimes,
};
