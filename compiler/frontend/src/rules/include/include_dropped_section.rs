//! `include-dropped-section`: a section that is read and then dropped without a word (`language` 1.5).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "include-dropped-section",
    level: Level::Warning,
    summary: "a section that an included file may not carry",
    fixable: Fixable::Never,
};

/// The key of the section.
pub(crate) fn at(span: Span, key: &str) -> Diagnostic {
    let finding = RULE
        .at(span, "dropped")
        .message(format!("{} in an included file is dropped", code(key)));
    if key == "include" {
        finding.help("includes do not nest: list the files in the manifest")
    } else {
        finding.help(format!("move {} to the manifest", code(key)))
    }
}
