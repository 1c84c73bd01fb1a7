//! `null-effect`: an entry of a list of effects that says nothing (`language` 2.5).

use super::super::prelude::*;
use super::Site;

pub(crate) const RULE: Rule = Rule {
    id: "null-effect",
    level: Level::Warning,
    summary: "an entry of a list of effects that says nothing",
    fixable: Fixable::Never,
};

pub(super) fn check(site: &Site<'_>, out: &mut Vec<Diagnostic>) {
    let effect = site.effect;
    let says_nothing = Effect::KEYS.iter().all(|key| effect.key_span(key).is_none());
    // A mapping without keys may stand there while somebody writes it; `null` and `{}` alike do nothing.
    if says_nothing && effect.origin.is_written() && !site.cx.is_faulty(effect.span) {
        out.push(
            RULE.at(effect.span, "nothing happens here")
                .message("an effect does nothing"),
        );
    }
}
