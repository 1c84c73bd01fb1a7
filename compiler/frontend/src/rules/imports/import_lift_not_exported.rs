//! `import-lift-not-exported`: `intents.import` takes what the child lists under `exports.intents` (`imports` 7.3).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "import-lift-not-exported",
    level: Level::Error,
    summary: "a lifted intent that the child does not export",
    fixable: Fixable::Sometimes,
};

/// The name, the child's declaration, and an exported name that is probably meant.
pub(crate) fn at(span: Span, name: &str, alias: &Text, own: Option<Span>, near: Option<&str>) -> Diagnostic {
    let finding = RULE.at(span, "not exported").message(format!(
        "{} does not export the intent {}",
        code(alias.as_str()),
        code(name)
    ));
    match (own, near) {
        (Some(own), _) => finding
            .label(own, "declared, but not exported")
            .help("list it under `exports: { intents: [...] }` of the imported story"),
        (None, Some(near)) => finding
            .help(format!("change it to {}", code(near)))
            .fix(Fix::replace(span, near).title(format!("change it to {}", code(near)))),
        (None, None) => finding,
    }
}
