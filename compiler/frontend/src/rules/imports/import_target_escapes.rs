//! `import-target-escapes`: a relative target of a child may not leave its wrapper (`imports` 6.6).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "import-target-escapes",
    level: Level::Error,
    summary: "a target that climbs out of the import",
    fixable: Fixable::Never,
};

/// The target and how many steps are too many.
pub(crate) fn at(span: Span, target: &str, steps: usize) -> Diagnostic {
    let steps = if steps == 1 {
        "one step".to_owned()
    } else {
        format!("{steps} steps")
    };
    RULE.at(span, format!("{steps} too far up"))
        .message(format!("the target {} leaves the imported story", code(target)))
        .help("leave by an exit: declare it under `exits` and write `@exit:<name>`")
}
