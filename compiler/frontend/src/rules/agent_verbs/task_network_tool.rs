//! `task-network-tool`: a task for an agent that has a web tool but is not of class external (`language` D79).

use rustc_hash::FxHashMap;

use super::super::calls::Call;
use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "task-network-tool",
    level: Level::Error,
    summary: "a task for an agent with a web tool that is declared not external",
    fixable: Fixable::Never,
};

/// The agents that were reported, with the place of their finding.
#[derive(Default)]
pub(super) struct Seen<'a> {
    agents: FxHashMap<&'a str, usize>,
}

impl<'a> Seen<'a> {
    /// Checks one `host.agent.task`.
    pub(super) fn check(&mut self, cx: &StoryCx<'a>, call: &Call<'a>, out: &mut Vec<Diagnostic>) {
        let Some(name) = call.arg("agent").and_then(Any::as_text).filter(|n| !n.is_templated()) else {
            return;
        };
        let Some(agent) = cx.agent(name.as_str()) else { return };
        if agent.effect.as_ref().is_none_or(|e| e.as_str() == "external") || call.with.is_none() {
            return;
        }
        let web = |t: &&Text| matches!(t.as_str(), "host.WebFetch" | "host.WebSearch");
        let Some(tool) = agent.tools.value().and_then(|t| t.iter().find(web)) else {
            return;
        };
        if let Some(at) = self.agents.get(name.as_str()) {
            if let Some(first) = out.get_mut(*at) {
                *first = first.clone().label(cx.inside(name), "used here too");
            }
            return;
        }
        self.agents.insert(name.as_str(), out.len());
        out.push(
            RULE.at(cx.inside(name), "this agent may use the network")
                .message(format!(
                    "{} has a web tool, but its class is not external",
                    code(&cx.spelling_of(name))
                ))
                .label(cx.inside(tool), "the web tool")
                .help("declare `effect: external`, or take the tool away")
                .level(call.level()),
        );
    }
}
