//! `default-intent-undeclared`: a free-text sink that is no intent (`language` D15). Found by [`super::intents`].

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "default-intent-undeclared",
    level: Level::Error,
    summary: "a free-text sink that is no intent",
    fixable: Fixable::Sometimes,
};
