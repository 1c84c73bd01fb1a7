//! `import-source-missing`: nothing says where the child is (`imports` 5 R3).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "import-source-missing",
    level: Level::Error,
    summary: "an import without `source`",
    fixable: Fixable::Never,
};

/// The alias.
pub(crate) fn at(span: Span, alias: &str) -> Diagnostic {
    RULE.at(span, "it has no `source`")
        .message(format!("the import {} does not say where its story is", code(alias)))
        .help("write `source`: a folder, a manifest, or `@kitsoki/<name>`")
}
