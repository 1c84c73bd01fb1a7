//! `import-too-large`: every import is folded afresh, so layers of several imports multiply; here is where it ends.

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "import-too-large",
    level: Level::Error,
    summary: "imports that multiply beyond any story",
    fixable: Fixable::Never,
};

/// The alias whose names would be too many.
pub(crate) fn at(span: Span, alias: &str, names: usize) -> Diagnostic {
    RULE.at(span, format!("{names} more names"))
        .message(format!("folding {} would make this story too large", code(alias)))
        .note("every import of a story is a copy of everything below it")
        .help("import a story once and lead to it from several rooms")
}

/// The chain of imports is too long, or there are too many stories below.
pub(crate) fn chain(span: Span, layers: usize, stories: usize) -> Diagnostic {
    RULE.at(span, "imported here")
        .message("the imports of this story go on too far")
        .note(format!("at most {layers} layers and {stories} stories are folded"))
}
