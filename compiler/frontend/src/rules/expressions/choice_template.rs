//! `choice-template`: a templated part of a choice that the view engine cannot parse (`language` 3.9).

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "choice-template",
    level: Level::Error,
    summary: "a template of a choice that cannot be parsed",
    fixable: Fixable::Sometimes,
};
