//! `unknown-field`: a field is read that the schema of the value does not have.

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "unknown-field",
    level: Level::Warning,
    summary: "a field that the schema of a value does not have",
    fixable: Fixable::Sometimes,
};
