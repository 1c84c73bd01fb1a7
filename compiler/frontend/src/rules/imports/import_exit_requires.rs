//! `import-exit-requires`: an exit requires keys, and an arc into it sets them not (`imports` 8.4).

use super::super::prelude::*;
use super::super::words::list;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "import-exit-requires",
    level: Level::Error,
    summary: "an arc into an exit without a required key",
    fixable: Fixable::Sometimes,
};

/// The target, and the keys that are missing.
pub(crate) fn at(span: Span, exit: &str, missing: &[&str], required: Span) -> Diagnostic {
    RULE.at(span, "this arc leaves without it")
        .message(format!("the exit {} requires {}", code(exit), list(missing)))
        .label(required, "required here")
        .help("set it in the effects of the arc, or give it a default that says something")
}

/// A required name that is no key of the child: said once for every arc, at the name.
pub(crate) fn lost(span: Span, exit: &str, key: &str, near: Option<&str>, arc: Span) -> Diagnostic {
    let finding = RULE
        .at(span, "no world key of this story")
        .message(format!(
            "the exit {} requires {}, which is declared nowhere",
            code(exit),
            code(key)
        ))
        .label(arc, "this arc leaves without it");
    match near {
        Some(near) => {
            let title = format!("change it to {}", code(near));
            finding.help(title.clone()).fix(Fix::replace(span, near).title(title))
        }
        None => finding.help("declare it under `world`, or require another key"),
    }
}
