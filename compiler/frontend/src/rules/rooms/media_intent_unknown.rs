//! `media-intent-unknown`: the annotation intent of a media element is no intent (`language` 3.8). Found by
//! [`super::intents`].

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "media-intent-unknown",
    level: Level::Warning,
    summary: "the annotation intent of a media element does not exist",
    fixable: Fixable::Sometimes,
};
