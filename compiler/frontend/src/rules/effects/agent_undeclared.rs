//! `agent-undeclared`: `with.agent` names no agent (`language` D26).
//!
//! `task` and `converse` may name a built-in agent, the other agent verbs may not.

use super::super::manifest::{agent_reference_unknown, decider};
use super::super::names::{Lost, Use, Words, of_map, of_words};
use super::super::prelude::*;
use super::Site;
use crate::story::BUILTIN_AGENTS;

pub(crate) const RULE: Rule = Rule {
    id: "agent-undeclared",
    level: Level::Error,
    summary: "a call names an agent that does not exist",
    fixable: Fixable::Sometimes,
};

pub(super) fn check<'a>(cx: &'a StoryCx<'a>, sites: &[Site<'a>], out: &mut Vec<Diagnostic>) {
    if cx.story.incomplete.agents || cx.lacks("agents") {
        return;
    }
    let mut lost = Lost::new(cx);
    for site in sites.iter().filter(|s| !s.in_effects) {
        // The reference looks at the agent of an effect without a call as well.
        let verb = site.verb().map_or(Some(""), |v| v.text.strip_prefix("host.agent."));
        let Some(verb) = verb else { continue };
        let Some((_, agent)) = site.literal_arg("agent") else {
            continue;
        };
        let builtin = matches!(verb, "task" | "converse") && BUILTIN_AGENTS.contains(&agent.as_str());
        if !builtin && cx.agent(agent.as_str()).is_none() {
            lost.add(agent.as_str(), Use::whole(agent, site.path(), &RULE, "no such agent"));
        }
    }
    references(cx, &mut lost);
    let mut known = of_map(cx.story.manifest.agents.value());
    known.extend(of_words(&BUILTIN_AGENTS));
    let words = Words {
        kind: "an agent",
        kinds: "agents",
    };
    let own = of_map(cx.story.manifest.agents.value());
    lost.report_with(
        &words,
        &own,
        |finding, name, _| {
            let finding = finding.message(format!("no agent is called {}", code(name)));
            if BUILTIN_AGENTS.contains(&name) {
                finding.note("a built-in agent cannot be named here: declare one of that name")
            } else {
                finding
            }
        },
        |used| super::super::names::nearest_to(cx, used, &known).filter(|n| n.spelling != used.spelled(cx)),
        out,
    );
}

/// Conversations and the decider name agents as well. The decider is looked at only in a story that has agents.
fn references<'a>(cx: &'a StoryCx<'a>, lost: &mut Lost<'a>) {
    let manifest = &cx.story.manifest;
    let mut add = |name: &'a Text, rule: &'static Rule, room: &'a str, level: Level, builtin: bool| {
        let known = cx.agent(name.as_str()).is_some() || (builtin && BUILTIN_AGENTS.contains(&name.as_str()));
        if !name.text.is_empty() && !known {
            lost.add(
                name.as_str(),
                Use::whole(name, room, rule, "no such agent").level(level),
            );
        }
    };
    for mode in manifest.meta_modes.value().into_iter().flat_map(|m| m.entries.iter()) {
        if let Some(agent) = &mode.value.agent {
            add(&agent.value, &agent_reference_unknown::RULE, "", Level::Error, true);
        }
    }
    if let Some(agent) = manifest.off_path.as_ref().and_then(|o| o.agent.as_ref()) {
        add(&agent.value, &agent_reference_unknown::RULE, "", Level::Error, true);
    }
    for room in cx.rooms() {
        let ramp = room.room().agent_off_ramp.as_ref().filter(|o| o.enabled);
        if let Some(agent) = ramp.and_then(|o| o.agent.as_ref()) {
            add(
                &agent.value,
                &agent_reference_unknown::RULE,
                room.path(),
                Level::Error,
                true,
            );
        }
    }
    if let Some(agent) = manifest
        .decider
        .as_ref()
        .and_then(|d| d.agent.as_ref())
        .filter(|a| !a.is_blank())
    {
        let has_agents = manifest.agents.value().is_some_and(|a| !a.entries.is_empty());
        let level = if has_agents { Level::Error } else { Level::Warning };
        add(&agent.value, &decider::AGENT_UNDECLARED, "", level, false);
    }
}
