//! `import-lift-undefined`: the child exports an intent that it does not define (`imports` 7.3).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "import-lift-undefined",
    level: Level::Error,
    summary: "an exported intent that does not exist",
    fixable: Fixable::Never,
};

/// The name that the importer lifts, and the export.
pub(crate) fn at(span: Span, name: &str, export: Option<Span>) -> Diagnostic {
    let finding = RULE
        .at(span, "exported, but not defined")
        .message(format!("the imported story has no intent {}", code(name)));
    match export {
        Some(export) => finding.label(export, "exported here"),
        None => finding,
    }
}

/// A story by itself exports what it does not define: nobody lifts it yet.
pub(crate) fn check(cx: &StoryCx<'_>, out: &mut Vec<Diagnostic>) {
    let exports = cx.story.manifest.exports.as_ref().and_then(|e| e.intents.value());
    if cx.story.incomplete.intents {
        return;
    }
    for name in exports.into_iter().flat_map(|l| l.items.iter()) {
        if cx.intent(name.as_str()).is_none() {
            let finding = RULE
                .at(cx.inside(name), "exported, but not defined")
                .message(format!("the exported intent {} is not declared", code(name.as_str())))
                .note("the story loads, but whoever lifts this intent is refused");
            out.push(finding.level(Level::Warning));
        }
    }
}
