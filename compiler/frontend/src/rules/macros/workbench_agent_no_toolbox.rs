//! `workbench-agent-no-toolbox`: a workbench agent that lists its tools itself instead of naming a toolbox (`macros` 3.2).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "workbench-agent-no-toolbox",
    level: Level::Error,
    summary: "a workbench agent without a toolbox",
    fixable: Fixable::Never,
};

/// `declared` is where the agent says what it has instead.
pub(crate) fn at(place: Span, name: &str, declared: Span) -> Diagnostic {
    RULE.at(place, "this agent works here")
        .message(format!("the workbench agent {} has no toolbox", code(name)))
        .label(declared, "what it has instead")
        .help("put the tools into `toolboxes` and name the toolbox in the agent's `toolbox`")
}
