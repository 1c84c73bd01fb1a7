//! `read-verb-mutation-tool`: an agent that can change files behind a verb that only reads (`language` D77).
//!
//! The reference compares exact tool names of `tools`. `MultiEdit`, other spellings and MCP tools change files just the
//! same: they are warnings.

use rustc_hash::FxHashMap;

use super::super::calls::Call;
use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "read-verb-mutation-tool",
    level: Level::Error,
    summary: "an agent that can change files behind `ask`, `decide` or `extract`",
    fixable: Fixable::Never,
};

/// Tools that the reference looks for.
const REFUSED: [&str; 3] = ["host.Edit", "host.Write", "host.NotebookEdit"];
/// The same and the one that is missing there, in lower case.
const MUTATING: [&str; 4] = ["host.edit", "host.write", "host.notebookedit", "host.multiedit"];
/// MCP tools of class write.
const MUTATING_MCP: [&str; 3] = [
    "mcp__slidey__write_spec",
    "mcp__slidey__patch_spec",
    "mcp__slidey__remove_slide",
];

/// The agents that were reported, with the place of their finding.
#[derive(Default)]
pub(super) struct Seen<'a> {
    agents: FxHashMap<&'a str, usize>,
}

impl<'a> Seen<'a> {
    /// Checks one call of a reading verb.
    pub(super) fn check(&mut self, cx: &StoryCx<'a>, call: &Call<'a>, verb: &str, out: &mut Vec<Diagnostic>) {
        let Some(name) = call.arg("agent").and_then(Any::as_text).filter(|n| !n.is_templated()) else {
            return;
        };
        let Some(agent) = cx.agent(name.as_str()) else { return };
        let Some((tool, refused)) = mutating_tool(agent) else {
            return;
        };
        let level = if refused { call.level() } else { Level::Warning };
        if let Some(first) = self.agents.get(name.as_str()).and_then(|at| out.get_mut(*at)) {
            let worst = if level == Level::Error { level } else { first.severity };
            *first = first.clone().label(cx.inside(name), "used here too").level(worst);
            return;
        }
        self.agents.insert(name.as_str(), out.len());
        out.push(
            RULE.at(cx.inside(name), "this agent can change files")
                .message(format!(
                    "`host.agent.{verb}` only reads, but {} can write",
                    code(&cx.spelling_of(name))
                ))
                .label(cx.inside(tool), "the tool that writes")
                .help("use `host.agent.task` for work that changes files, or an agent without this tool")
                .level(level),
        );
    }
}

/// The first tool that writes; one that the reference refuses comes before the others.
fn mutating_tool(agent: &Agent) -> Option<(&Text, bool)> {
    let tools = || agent.tools.value().into_iter().flat_map(|t| t.iter());
    let mcp = agent
        .mcp
        .value()
        .and_then(|m| m.tools.value())
        .into_iter()
        .flat_map(|t| t.iter());
    let refused = tools().find(|t| REFUSED.contains(&t.as_str())).map(|t| (t, true));
    refused.or_else(|| {
        let named = tools().find(|t| MUTATING.contains(&t.as_str().to_ascii_lowercase().as_str()));
        named
            .or_else(|| tools().chain(mcp).find(|t| MUTATING_MCP.contains(&t.as_str())))
            .map(|t| (t, false))
    })
}
