//! `import-templated-target`: the fold renames the key, but not inside of a target (`imports` 6.3).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "import-templated-target",
    level: Level::Warning,
    summary: "a templated target that keeps the child's names",
    fixable: Fixable::Never,
};

/// The reference.
pub(crate) fn at(span: Span, key: &str, alias: &Text) -> Diagnostic {
    RULE.at(span, "read under its bare name")
        .message(format!(
            "the target reads {}, which is called {} once imported",
            code(key),
            code(&format!("{}__{key}", alias.as_str()))
        ))
        .label(alias.span, "imported here")
        .note("an empty target means staying in the room")
}
