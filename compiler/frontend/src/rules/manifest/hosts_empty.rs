//! `hosts-empty`: without allowed verbs no verb is checked (`language` 3.1).

use super::super::prelude::*;
use super::super::walk;

pub(crate) const RULE: Rule = Rule {
    id: "hosts-empty",
    level: Level::Warning,
    summary: "no list of allowed verbs: no verb is checked",
    fixable: Fixable::Never,
};

pub(super) fn check(cx: &StoryCx<'_>, out: &mut Vec<Diagnostic>) {
    let hosts = cx.story.manifest.hosts.as_ref();
    let message = "without `hosts` every verb is allowed";
    match hosts {
        Some(hosts) if hosts.is_empty() => {
            out.push(
                RULE.at(hosts.value.span, "an empty list checks nothing")
                    .message(message),
            );
        }
        None if !super::stands(cx, "hosts") => {
            let calls = cx.rooms().filter(|r| r.name().made.is_none()).find_map(|room| {
                let sites = walk::own_effects(room.room());
                sites.into_iter().find_map(|s| {
                    s.effect
                        .invoke
                        .as_ref()
                        .filter(|v| v.value.made.is_none())
                        .map(|v| &v.value)
                })
            });
            if let Some(verb) = calls {
                out.push(
                    RULE.at(cx.inside(verb), "nobody checks this name")
                        .level(Level::Hint)
                        .message(message)
                        .help("list the verbs of the story under `hosts:`"),
                );
            }
        }
        _ => {}
    }
}
