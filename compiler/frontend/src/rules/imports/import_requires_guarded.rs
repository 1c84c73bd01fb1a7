//! `import-requires-guarded`: the guard may fail, and the exit is taken without the key (`imports` 8.4).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "import-requires-guarded",
    level: Level::Warning,
    summary: "a required key that only a guarded effect sets",
    fixable: Fixable::Never,
};

/// The guard of the effect.
pub(crate) fn at(span: Span, key: &str, required: Span) -> Diagnostic {
    RULE.at(span, "only when this holds")
        .message(format!("the required key {} may not be set", code(key)))
        .label(required, "the exit requires it")
        .note("the reference counts a guarded effect as one that happens")
}
