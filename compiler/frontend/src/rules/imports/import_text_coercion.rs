//! `import-text-coercion`: values of `world_in` are texts (`imports` 2.1, 8.2).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "import-text-coercion",
    level: Level::Warning,
    summary: "a scalar in `world_in` that becomes text",
    fixable: Fixable::Never,
};

/// The scalar, what it is, and whether the engine turns it back.
pub(crate) fn at(span: Span, kind: &str, value: &str, converts: bool, own: Option<Span>) -> Diagnostic {
    let finding = RULE
        .at(span, "becomes text")
        .message(format!("{kind} in `world_in` is pushed as the text {}", code(value)))
        .note(if converts {
            "the engine turns it back, because the key has a type"
        } else {
            "the key has no type that would turn it back"
        });
    match own {
        Some(own) => finding.label(own, "the key"),
        None => finding,
    }
}
