//! `import-engine-key`: the fold renames it, and the engine goes on writing the bare one (`imports` 15).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "import-engine-key",
    level: Level::Warning,
    summary: "a child declares an engine-written key",
    fixable: Fixable::Never,
};

/// The declaration.
pub(crate) fn at(span: Span, key: &str, alias: &Text) -> Diagnostic {
    RULE.at(span, "the engine writes the bare key only")
        .message(format!("{} is never written once the story is imported", code(key)))
        .label(
            alias.span,
            format!("here it becomes {}", code(&format!("{}__{key}", alias.as_str()))),
        )
}
