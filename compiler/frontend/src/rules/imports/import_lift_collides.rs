//! `import-lift-collides`: the importer has an intent of the bare name already (`imports` 7.3).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "import-lift-collides",
    level: Level::Error,
    summary: "a lifted intent whose name is taken",
    fixable: Fixable::Never,
};

/// The lifted name and the other declaration.
pub(crate) fn at(span: Span, name: &str, first: Span) -> Diagnostic {
    RULE.at(span, "lifted to the same name")
        .message(format!("the intent {} exists already", code(name)))
        .label(first, "the first one")
        .help("use the intent by its prefixed name")
}
