//! `effect-target-combined`: the `target` of an effect beside an action (`language` D30).

use super::super::prelude::*;
use super::Site;

pub(crate) const RULE: Rule = Rule {
    id: "effect-target-combined",
    level: Level::Error,
    summary: "an effect that both acts and leads to a room",
    fixable: Fixable::Never,
};

pub(super) fn check(site: &Site<'_>, out: &mut Vec<Diagnostic>) {
    let effect = site.effect;
    let Some(target) = effect.target.as_ref().filter(|t| !t.text.is_empty()) else {
        return;
    };
    if site.on_complete == 0 || site.in_effects {
        return;
    }
    let mut beside: Vec<_> = site
        .actions()
        .into_iter()
        .filter(|(word, _)| matches!(*word, "set" | "increment" | "say" | "invoke"))
        .collect();
    beside.extend(
        effect
            .bind
            .as_ref()
            .filter(|b| !b.entries.is_empty())
            .map(|b| ("bind", b.key)),
    );
    let Some((word, other)) = beside.into_iter().min_by_key(|(_, span)| span.range.start()) else {
        return;
    };
    let (later, first) = super::in_order(target.key, other);
    out.push(
        RULE.at(later, "the second of the two")
            .message(format!("an effect cannot have both `target` and {}", code(word)))
            .label(first, "the first of the two")
            .help("write two effects: first the action, then the target"),
    );
}
