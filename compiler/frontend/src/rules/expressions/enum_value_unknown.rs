//! `enum-value-unknown`: a text is compared with one that it can never be (`language` 3.3, 3.5).

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "enum-value-unknown",
    level: Level::Warning,
    summary: "a comparison with a value that is none of the allowed ones",
    fixable: Fixable::Sometimes,
};
