//! `grammar-schema-unreadable`: a decision bound to a grammar whose schema file cannot be read (`language` D81).

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "grammar-schema-unreadable",
    level: Level::Error,
    summary: "a grammar-bound decision whose schema cannot be read",
    fixable: Fixable::Never,
};

/// The file behind `schema` is missing; `grammar` is the flag that makes it necessary.
pub(super) fn at(cx: &StoryCx<'_>, schema: &Text, grammar: kitsoki_syntax::Span) -> Diagnostic {
    let written = cx.spelling_of(schema);
    let built_in = written.starts_with("builtin://");
    let finding = RULE
        .at(
            cx.inside(schema),
            if built_in { "a built-in schema" } else { "no such file" },
        )
        .message("a decision bound to a grammar needs its schema file at load")
        .label(grammar, "the grammar is switched on here");
    if built_in {
        finding.note("built-in schemas are not resolved for a grammar: keep a copy beside the story")
    } else {
        finding
    }
}
