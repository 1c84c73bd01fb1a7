//! `import-export-unknown`: `intents.export` names intents of the importer (`imports` 7.2).

use super::super::prelude::*;
use kitsoki_syntax::Span;
use smol_str::SmolStr;

pub(crate) const RULE: Rule = Rule {
    id: "import-export-unknown",
    level: Level::Error,
    summary: "an exported intent that the importer does not declare",
    fixable: Fixable::Sometimes,
};

/// The name and a similar intent.
pub(crate) fn at(span: Span, name: &str, near: Option<(SmolStr, Span)>) -> Diagnostic {
    let finding = RULE
        .at(span, "no intent of this story")
        .message(format!("no intent is called {}", code(name)));
    super::offer(finding, span, near, "an intent with a similar name")
}
