//! `workbench-agent-undeclared`: a workbench whose agent is not declared; built-in agents do not count (`macros` 3.2).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "workbench-agent-undeclared",
    level: Level::Error,
    summary: "a workbench agent that the story does not declare",
    fixable: Fixable::Sometimes,
};

/// `near` is a declared agent with a similar name.
pub(crate) fn at(place: Span, name: &str, near: Option<(String, Span)>) -> Diagnostic {
    let finding = RULE
        .at(place, "no such agent")
        .message(format!("no agent is called {}", code(name)));
    if crate::story::BUILTIN_AGENTS.contains(&name) {
        return finding
            .message(format!("the built-in agent {} cannot work at a workbench", code(name)))
            .help("declare an agent with a `toolbox` under `agents`");
    }
    match near {
        Some((near, at)) => finding
            .label(at, "an agent with a similar name")
            .fix(Fix::replace(place, near.clone()).title(format!("change it to {}", code(&near)))),
        None => finding.help("declare it under `agents`, with a `toolbox`"),
    }
}
