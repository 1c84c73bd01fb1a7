//! `exit-undeclared`: an arc or a timeout that leaves through an exit which a non-empty `exits` does not have (`language` 4.3).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "exit-undeclared",
    level: Level::Error,
    summary: "`@exit:` with a name that `exits` lacks",
    fixable: Fixable::Sometimes,
};

/// `near` is an exit with a similar name, `list` the key `exits`, `more` are further uses.
pub(crate) fn at(
    place: Span,
    name: &str,
    near: Option<(String, Span)>,
    list: Option<Span>,
    more: &[Span],
) -> Diagnostic {
    let finding = RULE
        .at(place, "no such exit")
        .message(format!("no exit is called {}", code(name)));
    let mut finding = match (near, list) {
        (Some((near, at)), _) => finding
            .label(at, "an exit with a similar name")
            .fix(Fix::replace(place, format!("@exit:{near}")).title(format!("change it to {}", code(&near)))),
        (None, Some(at)) => finding.label(at, "the exits are declared here"),
        (None, None) => finding,
    };
    for span in more {
        finding = finding.label(*span, "used here too");
    }
    finding
}
