//! `import-source-override`: a variable or a saved checkout comes first, and it does not have the story (`imports` 3.2).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "import-source-override",
    level: Level::Error,
    summary: "a setting names a checkout without the story",
    fixable: Fixable::Never,
};

/// The source and what is wrong with the setting.
pub(crate) fn at(span: Span, source: &str, why: &str) -> Diagnostic {
    RULE.at(span, "asked for elsewhere")
        .message(format!("{} cannot be found where it was asked for", code(source)))
        .note(why.to_owned())
}
