//! `emit_intent-with-target`: an effect that both emits an intent and leads to a room (`language` D31).

use super::super::prelude::*;
use super::Site;

pub(crate) const RULE: Rule = Rule {
    id: "emit-intent-with-target",
    level: Level::Error,
    summary: "an effect that both emits an intent and leads to a room",
    fixable: Fixable::Never,
};

pub(super) fn check(site: &Site<'_>, out: &mut Vec<Diagnostic>) {
    let effect = site.effect;
    let target = effect.target.as_ref().filter(|t| !t.text.is_empty());
    let emitted = effect.emit_intent.as_ref().filter(|t| !t.text.is_empty());
    let (Some(target), Some(emitted)) = (target, emitted) else {
        return;
    };
    if site.in_effects {
        return;
    }
    let (later, first) = super::in_order(target.key, emitted.key);
    out.push(
        RULE.at(later, "the second of the two")
            .message("an effect cannot have both `target` and `emit_intent`")
            .label(first, "the first of the two")
            .help("keep one of the two"),
    );
}
