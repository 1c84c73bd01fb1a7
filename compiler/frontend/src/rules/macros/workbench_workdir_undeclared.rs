//! `workbench-workdir-undeclared`: the agent task of a workbench runs in `world.workdir`, which nobody declares (`macros` 3.3).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "workbench-workdir-undeclared",
    level: Level::Warning,
    summary: "a workbench in a story that declares no `workdir`",
    fixable: Fixable::Never,
};

/// `bench` is the key `workbench`, `key` the author's name of the world key.
pub(crate) fn at(bench: Span, key: &str) -> Diagnostic {
    RULE.at(bench, "its task takes the working directory from the world")
        .message(format!(
            "a workbench reads the world key {}, which is not declared",
            code(key)
        ))
        .help(format!(
            "declare it: `{key}: {{ type: string, default: \".\" }}` under `world`"
        ))
}
