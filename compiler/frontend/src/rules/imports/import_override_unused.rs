//! `import-override-unused`: only a `prompt` right under `with` is exchanged (`imports` 10).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "import-override-unused",
    level: Level::Warning,
    summary: "a prompt override that matches nothing",
    fixable: Fixable::Never,
};

/// The path of the child.
pub(crate) fn at(span: Span, path: &str, alias: &Text) -> Diagnostic {
    RULE.at(span, "matches nothing")
        .message(format!(
            "no call of {} has the prompt {}",
            code(alias.as_str()),
            code(path)
        ))
        .note("a prompt under `context`, in a workbench or of an agent is not exchanged")
}
