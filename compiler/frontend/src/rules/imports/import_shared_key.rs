//! `import-shared-key`: only declared keys are private to an import (`imports` 7.1).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "import-shared-key",
    level: Level::Warning,
    summary: "a key that the child shares without declaring it",
    fixable: Fixable::Never,
};

/// The first use, and the importer's declaration.
pub(crate) fn at(span: Span, key: &str, alias: &Text, own: Option<Span>) -> Diagnostic {
    let finding = RULE
        .at(span, "the importer's key")
        .message(format!(
            "{} uses {} of the story that imports it",
            code(alias.as_str()),
            code(key)
        ))
        .help("declare it in the imported story, and push a value in with `world_in`");
    match own {
        Some(own) => finding.label(own, "declared here"),
        None => finding,
    }
}
