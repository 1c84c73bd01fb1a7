//! `iface-undeclared`: an `iface.` call of an interface that the story does not declare (`imports` 9.4).
//!
//! The last dot separates the operation, so a dotted operation name reads as part of the interface.

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "iface-undeclared",
    level: Level::Error,
    summary: "a call of an interface that is not declared",
    fixable: Fixable::Sometimes,
};

/// The interface and the operation; `null` is the declaration without a body, `near` one with a similar name, `more` are further calls.
pub(crate) fn at(
    place: Span,
    (name, op): (&str, &str),
    null: Option<(String, Span)>,
    near: Option<(String, Span)>,
    more: &[Span],
) -> Diagnostic {
    let finding = RULE
        .at(place, "no such interface")
        .message(format!("no host interface is called {}", code(name)));
    let mut finding = match (null, near) {
        (Some((_, at)), _) => finding.label(at, "declared without a body, which counts for nothing"),
        (None, Some((near, at))) => finding.label(at, "an interface with a similar name").fix(
            Fix::replace(place, near.clone()).title(format!("change it to {}", code(&format!("iface.{near}.{op}")))),
        ),
        (None, None) => finding.help("declare it under `host_interfaces`"),
    };
    for span in more {
        finding = finding.label(*span, "called here too");
    }
    finding
}
