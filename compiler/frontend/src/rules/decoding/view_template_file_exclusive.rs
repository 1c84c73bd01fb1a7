//! `view-template-file-exclusive`: `template_file` beside `extends` or `blocks` (`language` Y7).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "view-template-file-exclusive",
    level: Level::Error,
    summary: "`template_file` beside `extends` or `blocks`",
    fixable: Fixable::Never,
};

/// `later` is written beside `first`, which is called `word`.
pub(crate) fn at(later: Span, later_word: &str, first: Span, first_word: &str) -> Diagnostic {
    RULE.at(later, "the second form")
        .message(format!(
            "{} and {} exclude each other",
            code(first_word),
            code(later_word)
        ))
        .label(first, "the first form")
        .help("keep one of the two")
}
