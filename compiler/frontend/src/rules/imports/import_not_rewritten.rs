//! `import-not-rewritten`: names are renamed by patterns over texts; this form or position is not covered (`imports` 6.1).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "import-not-rewritten",
    level: Level::Warning,
    summary: "a reference that the rewrite of an import does not see",
    fixable: Fixable::Never,
};

/// A reference in a form that the pattern does not see.
pub(crate) fn at(span: Span, key: &str, alias: &Text) -> Diagnostic {
    RULE.at(span, "stays as it is")
        .message(format!("the key {} is renamed by the import, but not here", code(key)))
        .label(alias.span, "imported here")
        .help(format!("write {}", code(&format!("world.{key}"))))
}

/// A position that is not rewritten.
pub(crate) fn position(span: Span, alias: &Text) -> Diagnostic {
    RULE.at(span, "stays as it is")
        .message("this position keeps the bare name when the story is imported")
        .label(alias.span, "imported here")
}

/// A helper call with a space.
pub(crate) fn helper(span: Span, intent: &str, alias: &Text) -> Diagnostic {
    RULE.at(span, "stays as it is")
        .message(format!(
            "the intent {} is renamed by the import, but not here",
            code(intent)
        ))
        .label(alias.span, "imported here")
        .help("write the name right behind the bracket, without a space")
}
