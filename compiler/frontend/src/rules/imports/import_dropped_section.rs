//! `import-dropped-section`: the fold takes rooms, names and hosts; everything else of a child is dropped (`imports` 7.4).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "import-dropped-section",
    level: Level::Warning,
    summary: "a section of the child that its importer does not see",
    fixable: Fixable::Never,
};

/// The section's key.
pub(crate) fn at(span: Span, key: &str, alias: &Text) -> Diagnostic {
    RULE.at(span, "dropped by the import")
        .message(format!("{} of an imported story has no effect", code(key)))
        .label(alias.span, "imported here")
        .help(format!("what is needed of {} must stand in the importer", code(key)))
}
