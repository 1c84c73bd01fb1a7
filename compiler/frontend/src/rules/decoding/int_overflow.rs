//! `int-overflow`: an integer outside of 64 bits, or a negative one written as quoted text (`language` 2.4).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "int-overflow",
    level: Level::Error,
    summary: "an integer out of range",
    fixable: Fixable::Never,
};

/// The integer at `span` does not fit.
pub(crate) fn at(span: Span, written: &str) -> Diagnostic {
    let quoted = written.starts_with(['"', '\'']);
    let finding = RULE
        .at(span, "out of range")
        .message(format!("the integer {} is out of range", code(written)));
    if quoted {
        finding.help("write a negative number without quotes")
    } else {
        finding.help("an integer has 64 bits")
    }
}
