//! `import-prose-rewritten`: the pattern for world keys does not know prose from code (`imports` 6.1).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "import-prose-rewritten",
    level: Level::Warning,
    summary: "prose that the rewrite of an import changes",
    fixable: Fixable::Never,
};

/// The words that look like a reference.
pub(crate) fn at(span: Span, key: &str, alias: &Text) -> Diagnostic {
    let flat = format!("world.{}__{key}", alias.as_str());
    RULE.at(span, format!("becomes {}", code(&flat)))
        .message(format!(
            "prose that says {} is changed by the import",
            code(&format!("world.{key}"))
        ))
        .label(alias.span, "imported here")
}
