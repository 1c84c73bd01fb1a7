//! `import-source-shape`: a git source without a good reference, or an unknown scope: both are relative paths (`imports` 3).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "import-source-shape",
    level: Level::Warning,
    summary: "a source that is taken for a relative path by its shape",
    fixable: Fixable::Never,
};

/// The source and what it looks like.
pub(crate) fn at(span: Span, source: &str, why: &str) -> Diagnostic {
    RULE.at(span, "a relative path")
        .message(format!("{} is read as a path", code(source)))
        .note(why.to_owned())
}
