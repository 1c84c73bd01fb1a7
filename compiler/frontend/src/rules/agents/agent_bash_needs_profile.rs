//! `agent-bash-needs-profile`: an agent that `host.agent.ask` or `host.agent.decide` of the same file names may have Bash only with a `bash_profile` (`language` 4.1 A14).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "agent-bash-needs-profile",
    level: Level::Error,
    summary: "Bash without a profile behind `ask` or `decide`",
    fixable: Fixable::Never,
};

/// The tool and the call that names the agent.
pub(crate) fn at(span: Span, agent: &str, call: Span) -> Diagnostic {
    RULE.at(span, "Bash without a `bash_profile`")
        .message(format!(
            "the agent {} may run any Bash command behind a reading verb",
            code(agent)
        ))
        .label(call, "asked here")
        .help("say what Bash may do: `bash_profile: read-only`, or `{ commands: [git, ls] }`")
}
