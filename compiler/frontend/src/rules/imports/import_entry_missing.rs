//! `import-entry-missing`: neither `entry` nor a text `root` in the child says where to begin (`imports` 5 F2).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "import-entry-missing",
    level: Level::Error,
    summary: "an import without a room to enter",
    fixable: Fixable::Never,
};

/// The alias, and the child's inline root.
pub(crate) fn at(span: Span, alias: &str, inline: Option<Span>) -> Diagnostic {
    let finding = RULE
        .at(span, "it has no `entry`")
        .message(format!("nothing says which room {} begins in", code(alias)))
        .help("write `entry` with a room of the imported story");
    match inline {
        Some(root) => finding.label(root, "this root names no room"),
        None => finding.note("the imported story has no `root` either"),
    }
}
