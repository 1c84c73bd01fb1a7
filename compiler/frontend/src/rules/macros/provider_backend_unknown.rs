//! `provider-backend-unknown`: a `backend` word that is none (`language` 4.4, V3).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "provider-backend-unknown",
    level: Level::Error,
    summary: "an unknown backend of a provider",
    fixable: Fixable::Sometimes,
};

/// `word` stands at `span`.
pub(crate) fn at(span: Span, word: &str) -> Diagnostic {
    let finding = RULE
        .at(span, "expected `claude`, `codex` or `copilot`")
        .message(format!("no backend is called {}", code(word)));
    match crate::rules::words::did_you_mean(word, ["claude", "codex", "copilot"]) {
        Some(near) => finding.fix(Fix::replace(span, near).title(format!("change it to {}", code(near)))),
        None => finding,
    }
}
