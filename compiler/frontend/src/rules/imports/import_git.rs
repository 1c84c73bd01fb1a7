//! `import-git`: checking a story fetches nothing: a git source needs a commit that is in the cache, or a lock file (`imports` 3.3).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "import-git",
    level: Level::Error,
    summary: "a git source that no cache answers",
    fixable: Fixable::Never,
};

/// The source and why nothing is there.
pub(crate) fn at(span: Span, source: &str, why: &str) -> Diagnostic {
    RULE.at(span, "not here yet")
        .message(format!("{} is not available", code(source)))
        .note(why.to_owned())
        .help("fetch the kit first, or import it from a folder")
}
