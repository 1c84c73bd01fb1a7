//! `view-choice-in-block`: a choice inside of the blocks of a template (`language` D18).

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "view-choice-in-block",
    level: Level::Error,
    summary: "a choice inside of a block",
    fixable: Fixable::Never,
};

pub(super) fn check(view: &View, out: &mut Vec<Diagnostic>) {
    for (element, in_block) in view.elements() {
        if in_block && matches!(element.kind, ElementKind::Choice(_)) {
            out.push(
                RULE.at(element.head, "blocks become text")
                    .message("a choice cannot stand inside of a block")
                    .help("write the view as a list of elements when it needs a choice"),
            );
        }
    }
}
