//! `agent-undeclared`: `with.agent` names no agent (`language` D26).
//!
//! `task` and `converse` may name a built-in agent, the other agent verbs may not.

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
    if cx.story.incomplete.agents {
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
    let mut known = of_map(cx.story.manifest.agents.as_deref());
    known.extend(of_words(&BUILTIN_AGENTS));
    let words = Words {
        kind: "an agent",
        kinds: "agents",
    };
    let own = of_map(cx.story.manifest.agents.as_deref());
    lost.report_with(
        &words,
        &own,
        |finding, name, _| {
            let finding = finding.message(format!("no agent is called {}", code(name)));
            if BUILTIN_AGENTS.contains(&name) {
                finding.note("a built-in agent: only `host.agent.task` and `host.agent.converse` may name it")
            } else {
                finding
            }
        },
        |used| super::super::names::nearest_to(cx, used, &known).filter(|n| n.spelling != used.spelled(cx)),
        out,
    );
}
