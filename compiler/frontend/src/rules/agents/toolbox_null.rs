//! `toolbox-null`: a name under `toolboxes` with nothing behind it (`language` 4.1 A1).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "toolbox-null",
    level: Level::Error,
    summary: "a toolbox without a body",
    fixable: Fixable::Never,
};

/// The name of the toolbox.
pub(crate) fn at(span: Span, name: &str) -> Diagnostic {
    RULE.at(span, "nothing stands behind it")
        .message(format!("the toolbox {} has no body", code(name)))
        .help("a toolbox lists tools: `{ tools: [Read, Grep] }`; one without tools is `{}`")
}
