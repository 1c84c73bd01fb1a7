//! `import-cycle`: a manifest that is being loaded is imported again (`imports` 3.5).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "import-cycle",
    level: Level::Error,
    summary: "an import chain that comes back",
    fixable: Fixable::Never,
};

/// The source that comes back, the files of the ring, and the import that leads into it.
pub(crate) fn at(span: Span, ring: &[String], into: Option<Span>) -> Diagnostic {
    let names: Vec<&str> = ring.iter().map(String::as_str).collect();
    let way: Vec<String> = names.iter().take(8).map(|n| code(n)).collect();
    let finding = RULE.at(span, "this comes back").message(match names.as_slice() {
        [_, one] => format!("the story {} imports itself", code(one)),
        _ => format!("a story imports itself: {}", way.join(" imports ")),
    });
    match into {
        Some(into) => finding.label(into, "the import that leads there"),
        None => finding,
    }
}
