//! `agent-prompt-missing`: neither `system_prompt` nor `system_prompt_path` says something (`language` 4.1 A6).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "agent-prompt-missing",
    level: Level::Error,
    summary: "an agent without a prompt",
    fixable: Fixable::Never,
};

/// The name of the agent, or the empty prompt.
pub(crate) fn at(span: Span, agent: &str, empty: bool) -> Diagnostic {
    let label = if empty {
        "an empty prompt counts as none"
    } else {
        "it has no prompt"
    };
    RULE.at(span, label)
        .message(format!("the agent {} has no prompt", code(agent)))
        .help("write `system_prompt`, or name a file with `system_prompt_path`")
}
