//! `late-template-error`: a view template that the reference parses only when it renders it (`expressions` 10).

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "late-template-error",
    level: Level::Warning,
    summary: "a template that fails when it is rendered",
    fixable: Fixable::Sometimes,
};
