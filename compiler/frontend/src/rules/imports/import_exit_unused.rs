//! `import-exit-unused`: nothing in the child leads to it.

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "import-exit-unused",
    level: Level::Warning,
    summary: "a mapped exit that the child never fires",
    fixable: Fixable::Never,
};

/// The exit in the importer and in the child.
pub(crate) fn at(span: Span, exit: &str, alias: &Text, own: Span) -> Diagnostic {
    RULE.at(span, "never taken")
        .message(format!("{} never leaves by {}", code(alias.as_str()), code(exit)))
        .label(own, "declared here")
}
