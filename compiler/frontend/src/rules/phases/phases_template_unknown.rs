//! `phases-template-unknown`: `phases.template` names no template (`macros` 2.10).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "phases-template-unknown",
    level: Level::Error,
    summary: "a template that does not exist",
    fixable: Fixable::Sometimes,
};

/// The name and a similar one.
pub(crate) fn at(span: Span, name: &str, near: Option<(&str, Span)>) -> Diagnostic {
    let finding = RULE
        .at(span, "no such template")
        .message(format!("no phase template is called {}", code(name)));
    match near {
        Some((word, place)) => finding
            .label(place, "a template with a similar name")
            .help(format!("change it to {}", code(word)))
            .fix(Fix::replace(span, word).title(format!("change it to {}", code(word)))),
        None => finding,
    }
}
