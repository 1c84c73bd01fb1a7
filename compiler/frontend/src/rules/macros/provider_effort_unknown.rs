//! `provider-effort-unknown`: an `effort` word that is none (`language` 4.4, V4).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "provider-effort-unknown",
    level: Level::Error,
    summary: "an unknown effort of a provider",
    fixable: Fixable::Sometimes,
};

/// `word` stands at `span`.
pub(crate) fn at(span: Span, word: &str) -> Diagnostic {
    let finding = RULE
        .at(span, "expected `low`, `medium`, `high`, `xhigh` or `max`")
        .message(format!("no effort is called {}", code(word)));
    match crate::rules::words::did_you_mean(word, crate::package::EFFORTS) {
        Some(near) => finding.fix(Fix::replace(span, near).title(format!("change it to {}", code(near)))),
        None => finding,
    }
}
