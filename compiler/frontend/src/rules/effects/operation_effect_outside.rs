//! `operation-effect-outside`: committing, saving or dropping an operation where there is none (`language` D45).

use super::super::prelude::*;
use super::Site;

pub(crate) const RULE: Rule = Rule {
    id: "operation-effect-outside",
    level: Level::Error,
    summary: "an effect on an operation outside of one",
    fixable: Fixable::Never,
};

pub(super) fn check(site: &Site<'_>, out: &mut Vec<Diagnostic>) {
    if site.room.is_none() || super::operation_around(site).is_some() {
        return;
    }
    let effect = site.effect;
    let found = [
        ("commit_operation", effect.commit_operation.as_ref().map(|f| f.key)),
        ("persist_draft", effect.persist_draft.as_ref().map(|f| f.key)),
        ("discard_operation", effect.discard_operation.as_ref().map(|f| f.key)),
    ];
    for (word, key) in found {
        if let Some(key) = key {
            out.push(
                RULE.at(key, "no operation is open here")
                    .message(format!("{} outside of an operation", code(word)))
                    .help("give this room, or one around it, an `operation:` block"),
            );
        }
    }
}
