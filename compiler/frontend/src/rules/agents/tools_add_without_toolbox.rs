//! `tools-add-without-toolbox`: both keys change a toolbox; without one they are ignored (`language` 3.11).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "tools-add-without-toolbox",
    level: Level::Warning,
    summary: "`tools_add` or `tools_remove` without a toolbox",
    fixable: Fixable::Never,
};

/// The key.
pub(crate) fn at(span: Span, key: &str, agent: &str) -> Diagnostic {
    RULE.at(span, "ignored without `toolbox`")
        .message(format!("{} of the agent {} does nothing", code(key), code(agent)))
        .help("name a `toolbox`, or list the tools under `tools`")
}
