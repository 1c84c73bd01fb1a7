//! `import-version-syntax`: a constraint or the child's version is no version (`imports` 4).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "import-version-syntax",
    level: Level::Error,
    summary: "a version that does not parse",
    fixable: Fixable::Never,
};

/// The constraint.
pub(crate) fn at(span: Span, constraint: &str) -> Diagnostic {
    let finding = RULE
        .at(span, "no constraint")
        .message(format!("the version constraint {} does not parse", code(constraint)));
    if constraint.trim().contains(char::is_whitespace) {
        finding.help("a constraint is one operator and one version: ranges cannot be written")
    } else {
        finding.help("a version has one to three numbers: `1.2.3`, `^1.2`, `>=0.3`")
    }
}

/// The child's version.
pub(crate) fn child(span: Span, version: &str, own: Option<Span>) -> Diagnostic {
    let message = if version.is_empty() {
        "the imported story has no version to compare".to_owned()
    } else {
        format!("the imported story's version {} does not parse", code(version))
    };
    let finding = RULE.at(span, "nothing to compare with").message(message);
    match own {
        Some(own) => finding.label(own, "the imported story says so here"),
        None => finding,
    }
}
