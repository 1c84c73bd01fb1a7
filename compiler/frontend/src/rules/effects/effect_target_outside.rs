//! `effect-target-outside`: the `target` of an effect that is not inside of `on_complete` (`language` D29).

use super::super::prelude::*;
use super::Site;

pub(crate) const RULE: Rule = Rule {
    id: "effect-target-outside",
    level: Level::Error,
    summary: "the target of an effect outside of `on_complete`",
    fixable: Fixable::Never,
};

pub(super) fn check(site: &Site<'_>, out: &mut Vec<Diagnostic>) {
    let Some(target) = site.effect.target.as_ref().filter(|t| !t.text.is_empty()) else {
        return;
    };
    if site.on_complete == 0 && !site.in_effects {
        let help = if site.intent.is_some() {
            "write `target` beside `effects`, as part of the arc"
        } else {
            "queue an intent with `emit_intent` and lead on with its arc"
        };
        out.push(
            RULE.at(target.key, "this effect leads nowhere")
                .message("only an effect of `on_complete` may have a `target`")
                .help(help),
        );
    }
}
