//! `import-override-prompt-missing`: the replacement of a prompt is a file of the importer (`imports` 10).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "import-override-prompt-missing",
    level: Level::Error,
    summary: "a prompt override whose file does not exist",
    fixable: Fixable::Never,
};

/// The path.
pub(crate) fn at(span: Span, path: &str) -> Diagnostic {
    RULE.at(span, "no such file")
        .message(format!("the replacement prompt {} does not exist", code(path)))
        .help("the path is relative to the folder of the importing manifest")
}
