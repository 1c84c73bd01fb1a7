//! `iface-no-default`: a host interface that has no handler after all bindings, whether it is called or not (`imports` 9.4).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "iface-no-default",
    level: Level::Error,
    summary: "a host interface without a handler",
    fixable: Fixable::Never,
};

/// Nobody gave `name` a handler.
pub(crate) fn at(place: Span, name: &str) -> Diagnostic {
    RULE.at(place, "nothing answers its calls")
        .message(format!("the host interface {} has no handler", code(name)))
        .help("give it a `default`, or bind it where the story is imported")
}

/// The interface has no body: the reference skips it.
pub(crate) fn null(place: Span, name: &str) -> Diagnostic {
    RULE.at(place, "nothing stands behind the key")
        .message(format!("the host interface {} has no body", code(name)))
        .note("the Go implementation skips it: a call of it finds no interface")
        .level(Level::Warning)
}
