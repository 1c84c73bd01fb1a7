//! `import-source-not-found`: the repository above the importer has no story of this name (`imports` 3.2).

use super::super::prelude::*;
use camino::Utf8Path;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "import-source-not-found",
    level: Level::Error,
    summary: "the repository does not have the named story",
    fixable: Fixable::Sometimes,
};

/// The source, where the story should be, and a similar one.
pub(crate) fn at(span: Span, source: &str, path: &Utf8Path, near: Option<String>) -> Diagnostic {
    let finding = RULE
        .at(span, "no such story")
        .message(format!("the repository has no story {}", code(source)))
        .note(format!("it would be {}", code(path.as_str())));
    super::offer_source(finding, span, near)
}
