//! `import-alias-syntax`: an alias becomes a room and a prefix of names, so it is made of small letters, digits and underscores (`imports` 2.1).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "import-alias-syntax",
    level: Level::Error,
    summary: "an alias that cannot be a prefix",
    fixable: Fixable::Never,
};

/// The alias.
pub(crate) fn at(span: Span, alias: &str) -> Diagnostic {
    RULE.at(span, "no alias")
        .message(format!("{} cannot be the alias of an import", code(alias)))
        .help("an alias begins with a small letter; small letters, digits and `_` follow")
}
