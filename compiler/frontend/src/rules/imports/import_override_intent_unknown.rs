//! `import-override-intent-unknown`: only global intents of the child can be replaced (`imports` 10).

use super::super::prelude::*;
use kitsoki_syntax::Span;
use smol_str::SmolStr;

pub(crate) const RULE: Rule = Rule {
    id: "import-override-intent-unknown",
    level: Level::Error,
    summary: "an override of an intent that the child does not declare",
    fixable: Fixable::Sometimes,
};

/// The name and a similar intent.
pub(crate) fn at(span: Span, name: &str, alias: &Text, near: Option<(SmolStr, Span)>) -> Diagnostic {
    let finding = RULE.at(span, "no global intent of the imported story").message(format!(
        "{} has no intent {} to replace",
        code(alias.as_str()),
        code(name)
    ));
    super::offer(finding, span, near, "an intent with a similar name")
}
