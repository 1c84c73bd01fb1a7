//! `view-choice-many`: two choices in one view (`language` D18).

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "view-choice-many",
    level: Level::Error,
    summary: "two choices in one view",
    fixable: Fixable::Never,
};

pub(super) fn check(view: &View, out: &mut Vec<Diagnostic>) {
    let mut choices = view
        .elements()
        .filter(|(e, in_block)| !in_block && matches!(e.kind, ElementKind::Choice(_)))
        .map(|(e, _)| e.head);
    let Some(first) = choices.next() else { return };
    for other in choices {
        out.push(
            RULE.at(other, "another choice")
                .message("a view has one choice at most")
                .label(first, "the first choice")
                .help("write all items in one choice, guarded with `when` where they depend on the world"),
        );
    }
}
