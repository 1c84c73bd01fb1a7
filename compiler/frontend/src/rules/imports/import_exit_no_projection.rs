//! `import-exit-no-projection`: an exit by `on_error` or a timeout is mapped, but what its `set` pushes out is not attached (`imports` 8.3).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "import-exit-no-projection",
    level: Level::Warning,
    summary: "an exit without its projection",
    fixable: Fixable::Never,
};

/// The target, and the `set` that does not happen.
pub(crate) fn at(span: Span, exit: &str, set: Span) -> Diagnostic {
    RULE.at(span, "leaves without the projection")
        .message(format!(
            "the values of the exit {} are not pushed out from here",
            code(exit)
        ))
        .label(set, "only arcs do this")
        .help("lead to a room of the story, and leave from there by an arc")
}
