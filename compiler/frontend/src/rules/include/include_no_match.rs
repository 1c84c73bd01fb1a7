//! `include-no-match`: a pattern without any match: the reference says nothing (`language` 1.5).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "include-no-match",
    level: Level::Warning,
    summary: "an include pattern that matches no file",
    fixable: Fixable::Never,
};

/// The pattern that matches nothing.
pub(crate) fn at(span: Span, pattern: &str) -> Diagnostic {
    let finding = RULE
        .at(span, "no file fits this")
        .message(format!("the include pattern {} matches nothing", code(pattern)));
    if pattern.contains("**") {
        finding.help("there is no `**`: each segment matches exactly one folder level")
    } else {
        finding.help("patterns are relative to the folder of the manifest")
    }
}
