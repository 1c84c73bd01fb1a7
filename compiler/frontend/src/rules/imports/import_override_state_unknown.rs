//! `import-override-state-unknown`: only top-level rooms of the child can be replaced (`imports` 10).

use super::super::prelude::*;
use kitsoki_syntax::Span;
use smol_str::SmolStr;

pub(crate) const RULE: Rule = Rule {
    id: "import-override-state-unknown",
    level: Level::Error,
    summary: "an override of a room that the child does not have",
    fixable: Fixable::Sometimes,
};

/// The name and a similar or a nested room.
pub(crate) fn at(span: Span, name: &str, alias: &Text, near: Option<(SmolStr, Span)>) -> Diagnostic {
    let finding = RULE
        .at(span, "no room at the top level of the imported story")
        .message(format!(
            "{} has no room {} to replace",
            code(alias.as_str()),
            code(name)
        ));
    match near {
        Some((same, place)) if same == name => {
            finding.label(place, "this one is nested: only a top-level room can be replaced")
        }
        near => super::offer(finding, span, near, "a room with a similar name"),
    }
}
