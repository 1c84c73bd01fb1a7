//! `import-reserved-projection`: engine keys never have a prefix: the value is always absent (`imports` 15).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "import-reserved-projection",
    level: Level::Warning,
    summary: "a prefixed read of an engine key",
    fixable: Fixable::Sometimes,
};

/// The prefixed name.
pub(crate) fn at(span: Span, name: &str, bare: &str) -> Diagnostic {
    RULE.at(span, "reads nothing")
        .message(format!(
            "{} does not exist: {} never has a prefix",
            code(name),
            code(bare)
        ))
        .fix(Fix::replace(span, bare).title(format!("change it to {}", code(bare))))
}
