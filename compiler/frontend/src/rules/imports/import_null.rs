//! `import-null`: an alias with nothing behind it (`imports` 5 R1).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "import-null",
    level: Level::Error,
    summary: "an import without a body",
    fixable: Fixable::Never,
};

/// The alias.
pub(crate) fn at(span: Span, alias: &str) -> Diagnostic {
    RULE.at(span, "nothing stands behind it")
        .message(format!("the import {} has no body", code(alias)))
        .help("an import needs at least a `source`")
}
