//! `include-empty`: an included file in which nothing stands: the reference says nothing (`language` 1.5).

use super::super::prelude::*;
use kitsoki_syntax::{FileId, Span, text_range};

pub(crate) const RULE: Rule = Rule {
    id: "include-empty",
    level: Level::Warning,
    summary: "an included file in which nothing stands",
    fixable: Fixable::Never,
};

/// The file in which nothing stands, with its text.
pub(crate) fn at(file: FileId, text: &str) -> Diagnostic {
    let first = text.lines().next().unwrap_or_default();
    let line = Span::new(file, text_range(0, first.trim_end().len()));
    RULE.at(line, "nothing, or comments only")
        .message("this file is included and brings nothing")
        .help("write `states:`, `intents:` or another section, or take the file out of `include`")
}
