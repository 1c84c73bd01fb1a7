//! `import-export-overwrites`: the importer's definition wins without a word (`imports` 7.2).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "import-export-overwrites",
    level: Level::Warning,
    summary: "an exported intent replaces the child's own",
    fixable: Fixable::Never,
};

/// The export and the child's declaration.
pub(crate) fn at(span: Span, name: &str, alias: &Text, own: Span) -> Diagnostic {
    RULE.at(span, "replaces the child's own")
        .message(format!(
            "the intent {} of {} is overwritten",
            code(name),
            code(alias.as_str())
        ))
        .label(own, "this definition is gone")
}
