//! `workbench-capture-slot-name`: a hand-written capture intent with another slot than the one that the made arc reads (`macros` 3.3).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "workbench-capture-slot-name",
    level: Level::Warning,
    summary: "a capture intent whose slot the synthesized arc does not read",
    fixable: Fixable::Never,
};

/// `slot` is the name of the author's slot, `bench` the workbench.
pub(crate) fn at(place: Span, slot: &str, bench: Span) -> Diagnostic {
    RULE.at(place, "filled, and read by nobody")
        .message(format!("the workbench reads the slot `request`, not {}", code(slot)))
        .label(bench, "its arc copies `slots.request` into the request")
        .help("call the slot `request`, or write the arc of the intent as well")
}
