//! `constant-comparison`: a comparison of kinds that are never equal.

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "constant-comparison",
    level: Level::Warning,
    summary: "a comparison that does not depend on the values",
    fixable: Fixable::Never,
};
