//! `agent-toolbox-and-tools`: `toolbox` beside a non-empty `tools` (`language` 4.1 A12).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "agent-toolbox-and-tools",
    level: Level::Error,
    summary: "an agent with a toolbox and tools of its own",
    fixable: Fixable::Never,
};

/// The places of the two keys.
pub(crate) fn at(agent: &str, toolbox: Span, tools: Span) -> Diagnostic {
    let (first, second) = if toolbox.range.start() < tools.range.start() {
        (toolbox, tools)
    } else {
        (tools, toolbox)
    };
    RULE.at(second, "a second tool list")
        .message(format!("the agent {} has both `toolbox` and `tools`", code(agent)))
        .label(first, "the first one")
        .help("a toolbox is changed with `tools_add` and `tools_remove`")
}
