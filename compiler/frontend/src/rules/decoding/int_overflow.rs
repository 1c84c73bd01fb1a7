//! `int-overflow`: an integer outside of 64 bits, or a negative one written as quoted text (`language` 2.4).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "int-overflow",
    level: Level::Error,
    summary: "an integer out of range",
    fixable: Fixable::Sometimes,
};

/// The integer at `span` does not fit; `quoted`: it is written as a text.
pub(crate) fn at(span: Span, written: &str, quoted: bool) -> Diagnostic {
    let finding = RULE
        .at(span, "out of range")
        .message(format!("the integer {} is out of range", code(written)));
    if quoted {
        finding
            .help("a negative number in quotes is refused: write it without them")
            .fix(Fix::replace(span, written).title("leave the quotes out"))
    } else {
        finding.help("an integer has 64 bits")
    }
}
