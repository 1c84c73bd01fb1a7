//! `agent-prompt-both`: `system_prompt` beside `system_prompt_path` (`language` 4.1 A5).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "agent-prompt-both",
    level: Level::Error,
    summary: "an agent with two prompts",
    fixable: Fixable::Never,
};

/// The places of the two keys.
pub(crate) fn at(agent: &str, inline: Span, path: Span) -> Diagnostic {
    let (first, second) = if inline.range.start() < path.range.start() {
        (inline, path)
    } else {
        (path, inline)
    };
    RULE.at(second, "a second prompt")
        .message(format!(
            "the agent {} has both `system_prompt` and `system_prompt_path`",
            code(agent)
        ))
        .label(first, "the first one")
        .help("keep one of the two")
}
