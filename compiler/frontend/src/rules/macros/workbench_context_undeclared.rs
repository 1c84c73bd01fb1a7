//! `workbench-context-undeclared`: a `context_args` text that reads `world.<key>` of a key that is not declared (`macros` 3.4).
//!
//! Reads by index are not looked at here.

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "workbench-context-undeclared",
    level: Level::Error,
    summary: "a context argument that reads an undeclared world key",
    fixable: Fixable::Sometimes,
};

/// `more` are further reads of the same key in the same workbench.
pub(crate) fn at(place: Span, key: &str, near: Option<(String, Span)>, more: &[Span]) -> Diagnostic {
    let mut finding = RULE
        .at(place, "read here, declared nowhere")
        .message(format!("no world key is called {}", code(key)));
    for span in more {
        finding = finding.label(*span, "and here");
    }
    match near {
        Some((near, at)) => finding
            .label(at, "a key with a similar name")
            .fix(Fix::replace(place, near.clone()).title(format!("change it to {}", code(&near)))),
        None => finding.help("declare it under `world`"),
    }
}
