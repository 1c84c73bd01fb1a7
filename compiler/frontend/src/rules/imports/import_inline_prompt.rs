//! `import-inline-prompt`: everything under `prompt` is a path to the fold (`imports` 11.1).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "import-inline-prompt",
    level: Level::Warning,
    summary: "an inline prompt that the fold turns into a path",
    fixable: Fixable::Never,
};

/// The prompt.
pub(crate) fn at(span: Span, alias: &Text) -> Diagnostic {
    RULE.at(span, "taken for a path")
        .message("this inline prompt becomes a path once the story is imported")
        .label(alias.span, "imported here")
        .help("put the text into a file, and name the file")
}
