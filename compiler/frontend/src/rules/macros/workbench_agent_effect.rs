//! `workbench-agent-effect`: a workbench agent whose class is neither write nor external (`macros` 3.2).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "workbench-agent-effect",
    level: Level::Error,
    summary: "a workbench agent that cannot write",
    fixable: Fixable::Never,
};

/// `class` is the agent's resolved class, `declared` its declaration.
pub(crate) fn at(place: Span, name: &str, class: &str, declared: Span) -> Diagnostic {
    RULE.at(place, "a workbench is for work that changes something")
        .message(format!(
            "the workbench agent {} has the effect {}",
            code(name),
            code(class)
        ))
        .label(declared, format!("its tools make it {}", code(class)))
        .help("give its toolbox a tool that writes; a room that only answers needs `agent_off_ramp`, not `workbench`")
}
