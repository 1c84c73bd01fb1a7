//! `import-world-in-undeclared`: every key of `world_in` is a world key of the child (`imports` 5 F6).

use super::super::prelude::*;
use kitsoki_syntax::Span;
use smol_str::SmolStr;

pub(crate) const RULE: Rule = Rule {
    id: "import-world-in-undeclared",
    level: Level::Error,
    summary: "a pushed key that the child does not declare",
    fixable: Fixable::Sometimes,
};

/// The key and a similar one.
pub(crate) fn at(span: Span, key: &str, alias: &Text, near: Option<(SmolStr, Span)>) -> Diagnostic {
    let finding = RULE.at(span, "no key of the imported story").message(format!(
        "{} declares no world key {}",
        code(alias.as_str()),
        code(key)
    ));
    super::offer(finding, span, near, "a key with a similar name")
}

/// The key belongs to the engine.
pub(crate) fn reserved(span: Span, key: &str, own: Option<Span>) -> Diagnostic {
    let finding = RULE
        .at(span, "the engine's key")
        .message(format!("{} cannot be pushed into an import", code(key)))
        .note("it is one for the whole session and never has a prefix");
    match own {
        Some(own) => finding.label(own, "this declaration is dropped by the fold"),
        None => finding,
    }
}
