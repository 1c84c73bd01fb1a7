//! `import-alias-taken`: the fold makes a room of this name (`imports` 5 F5).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "import-alias-taken",
    level: Level::Error,
    summary: "the alias is a room already",
    fixable: Fixable::Never,
};

/// The alias and the room.
pub(crate) fn at(span: Span, alias: &str, room: Span) -> Diagnostic {
    RULE.at(span, "an alias")
        .message(format!("{} is the name of a room and of an import", code(alias)))
        .label(room, "the room")
        .help("give the import another alias")
}
