//! `nil-operand`: an operand that can be absent where absence is an error (`expressions` 5.2).

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "nil-operand",
    level: Level::Warning,
    summary: "an operand that can be absent where absence is an error",
    fixable: Fixable::Never,
};
