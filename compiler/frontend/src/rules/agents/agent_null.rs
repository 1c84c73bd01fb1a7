//! `agent-null`: a name under `agents` with nothing behind it (`language` 4.1 A4).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "agent-null",
    level: Level::Error,
    summary: "an agent without a body",
    fixable: Fixable::Never,
};

/// The name of the agent.
pub(crate) fn at(span: Span, name: &str) -> Diagnostic {
    RULE.at(span, "nothing stands behind it")
        .message(format!("the agent {} has no body", code(name)))
        .help("an agent needs at least a `system_prompt`")
}
