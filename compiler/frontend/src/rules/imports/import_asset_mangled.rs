//! `import-asset-mangled`: the fold joins every relative path to the child's folder, also one with a scheme (`imports` 11.1).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "import-asset-mangled",
    level: Level::Warning,
    summary: "a path with a scheme that the fold turns into a child path",
    fixable: Fixable::Never,
};

/// The path.
pub(crate) fn at(span: Span, path: &str, alias: &Text) -> Diagnostic {
    RULE.at(span, "becomes a path of the imported story")
        .message(format!("{} loses its meaning once the story is imported", code(path)))
        .label(alias.span, "imported here")
}
