//! `import-source-name`: the name behind `@kitsoki/` is empty or holds a separator (`imports` 3.2).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "import-source-name",
    level: Level::Error,
    summary: "`@kitsoki/` without a story's name",
    fixable: Fixable::Never,
};

/// The source.
pub(crate) fn at(span: Span, source: &str) -> Diagnostic {
    RULE.at(span, "no name of a story")
        .message(format!("{} names no story", code(source)))
        .help("write `@kitsoki/` and one name without a slash")
}
