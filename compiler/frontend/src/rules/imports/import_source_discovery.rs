//! `import-source-discovery`: `@kitsoki/<name>` is looked for in the repository above the importer, and there is none (`imports` 3.2).

use super::super::prelude::*;
use camino::Utf8Path;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "import-source-discovery",
    level: Level::Error,
    summary: "a named story without a repository above",
    fixable: Fixable::Never,
};

/// The source, and the folder from which the search went up.
pub(crate) fn at(span: Span, source: &str, dir: &Utf8Path) -> Diagnostic {
    RULE.at(span, "no repository above this story")
        .message(format!("{} cannot be found", code(source)))
        .note(format!(
            "no `.kitsoki-root` and no `go.mod` of the module `kitsoki` stands in {} or above it",
            code(dir.as_str())
        ))
        .help("set `KITSOKI_REPO` to a checkout, or name the folder of the story")
}
