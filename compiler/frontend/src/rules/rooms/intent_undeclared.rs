//! `intent-undeclared`: an arc for an intent that neither its room nor the story declares (`language` D21).
//!
//! Found by [`super::intents`], together with the other uses of the name.

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "intent-undeclared",
    level: Level::Error,
    summary: "an arc for an intent that does not exist",
    fixable: Fixable::Sometimes,
};
