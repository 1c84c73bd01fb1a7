//! `import-version-unsatisfied`: the child's `app.version` does not satisfy the constraint (`imports` 4).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "import-version-unsatisfied",
    level: Level::Error,
    summary: "the child's version does not fit",
    fixable: Fixable::Never,
};

/// The constraint and the version.
pub(crate) fn at(span: Span, constraint: &str, version: &str, own: Option<Span>) -> Diagnostic {
    let finding = RULE
        .at(span, format!("{} does not fit", code(version)))
        .message(format!(
            "the imported story has version {}, not {}",
            code(version),
            code(constraint)
        ));
    match own {
        Some(own) => finding.label(own, "its version"),
        None => finding,
    }
}
