//! `with-provider-misplaced`: `with.provider` on a verb that is no agent verb (`language` D71).

use super::super::prelude::*;
use super::Site;

pub(crate) const RULE: Rule = Rule {
    id: "with-provider-misplaced",
    level: Level::Error,
    summary: "a provider for a verb that asks no agent",
    fixable: Fixable::Never,
};

pub(super) fn check(site: &Site<'_>, out: &mut Vec<Diagnostic>) {
    let Some(verb) = site.verb().filter(|v| !v.text.starts_with("host.agent.")) else {
        return;
    };
    if site.in_effects {
        return;
    }
    if let Some((key, _)) = site.literal_arg("provider") {
        let level = super::walked(site);
        out.push(
            RULE.at(key.span, "only `host.agent.` verbs have a provider")
                .level(level)
                .message(format!("{} asks no agent, so it has no provider", code(verb.as_str())))
                .label(verb.span, "the verb"),
        );
    }
}
