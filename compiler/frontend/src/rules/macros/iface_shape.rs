//! `iface-shape`: an `iface.` call that does not say both interface and operation (`imports` 9.4).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "iface-shape",
    level: Level::Error,
    summary: "an interface call without name and operation",
    fixable: Fixable::Never,
};

/// `text` is the call as it stands.
pub(crate) fn at(place: Span, text: &str) -> Diagnostic {
    RULE.at(place, "expected `iface.<name>.<operation>`")
        .message(format!("{} names no operation of an interface", code(text)))
}
