//! `nil-member`: member access through a key that can be absent (`expressions` 5.1).

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "nil-member",
    level: Level::Warning,
    summary: "a member of something that can be absent",
    fixable: Fixable::Never,
};
