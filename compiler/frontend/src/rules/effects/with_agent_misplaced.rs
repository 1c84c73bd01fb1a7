//! `with-agent-misplaced`: `with.agent` on a verb that is no agent verb (`language` D25).

use super::super::prelude::*;
use super::Site;

pub(crate) const RULE: Rule = Rule {
    id: "with-agent-misplaced",
    level: Level::Error,
    summary: "an agent for a verb that asks no agent",
    fixable: Fixable::Never,
};

pub(super) fn check(site: &Site<'_>, out: &mut Vec<Diagnostic>) {
    let Some(verb) = site.verb().filter(|v| !v.text.starts_with("host.agent.")) else {
        return;
    };
    if site.in_effects {
        return;
    }
    if let Some((key, _)) = site.literal_arg("agent") {
        out.push(
            RULE.at(key.span, "only `host.agent.` verbs have an agent")
                .message(format!("{} asks no agent", code(verb.as_str())))
                .label(verb.span, "the verb"),
        );
    }
}
