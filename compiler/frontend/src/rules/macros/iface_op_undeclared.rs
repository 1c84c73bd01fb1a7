//! `iface-op-undeclared`: an `iface.` call of an operation that its interface does not have (`imports` 9.4).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "iface-op-undeclared",
    level: Level::Error,
    summary: "a call of an operation that the interface does not declare",
    fixable: Fixable::Sometimes,
};

/// `near` is an operation with a similar name, `declared` the interface, `more` are further calls.
pub(crate) fn at(
    place: Span,
    op: &str,
    interface: &str,
    near: Option<(String, Span)>,
    declared: Option<Span>,
    more: &[Span],
) -> Diagnostic {
    let finding = RULE.at(place, "no such operation").message(format!(
        "the interface {} has no operation {}",
        code(interface),
        code(op)
    ));
    let mut finding = match (near, declared) {
        (Some((near, at)), _) => finding.label(at, "an operation with a similar name").fix(
            Fix::replace(place, near.clone())
                .title(format!("change it to {}", code(&format!("iface.{interface}.{near}")))),
        ),
        (None, Some(at)) => finding.label(at, "the interface is declared here"),
        (None, None) => finding,
    };
    for span in more {
        finding = finding.label(*span, "called here too");
    }
    finding
}
