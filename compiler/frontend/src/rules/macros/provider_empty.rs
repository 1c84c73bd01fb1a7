//! `provider-empty`: a provider with none of `backend`, `model`, `effort` and `env` (`language` 4.4, V2).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "provider-empty",
    level: Level::Error,
    summary: "a provider that sets nothing",
    fixable: Fixable::Never,
};

/// `span` is the provider's name, or a value that says nothing.
pub(crate) fn at(span: Span, name: &str) -> Diagnostic {
    RULE.at(span, "nothing is set here")
        .message(format!("the provider {} sets nothing", code(name)))
        .help("give it a `backend`, a `model`, an `effort` or an `env`")
}
