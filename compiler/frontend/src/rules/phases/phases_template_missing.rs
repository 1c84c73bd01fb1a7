//! `phases-template-missing`: `phases.template` is absent or empty (`macros` 2.10).

use super::super::prelude::*;
use super::super::words::list;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "phases-template-missing",
    level: Level::Error,
    summary: "a graph that names no template",
    fixable: Fixable::Never,
};

/// The `phases` key, or the empty name.
pub(crate) fn at(span: Span, templates: &[&str]) -> Diagnostic {
    let finding = RULE
        .at(span, "it names no template")
        .message("the phases do not say which template they use");
    match templates {
        [] => finding,
        few if few.len() <= 8 => finding.help(format!("write `template`; there is {}", list(few))),
        _ => finding.help("write `template`"),
    }
}
