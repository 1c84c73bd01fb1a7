//! `import-exit-unmapped`: an importer maps every exit that the child fires (`imports` 6.6).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "import-exit-unmapped",
    level: Level::Error,
    summary: "the child leaves by an exit that is not mapped",
    fixable: Fixable::Sometimes,
};

/// The target in the child, the alias, and the exit that is probably meant.
pub(crate) fn at(span: Span, exit: &str, alias: &Text, meant: Option<&str>) -> Diagnostic {
    let finding = RULE
        .at(span, "the importer does not say where this leads")
        .message(format!("the exit {} is not mapped", code(exit)))
        .label(alias.span, "imported here, without this exit");
    match meant {
        Some(near) => finding
            .help(format!("an exit with a similar name is {}", code(near)))
            .fix(Fix::replace(span, format!("@exit:{near}")).title(format!("change it to {}", code(near)))),
        None => finding.help(format!("map it: `exits: {{ {exit}: {{ to: ... }} }}`")),
    }
}

/// It is mapped, but to nothing.
pub(crate) fn to_nothing(span: Span, exit: &str, mapping: Span) -> Diagnostic {
    RULE.at(span, "the importer does not say where this leads")
        .message(format!("the exit {} is mapped to nothing", code(exit)))
        .label(mapping, "an empty mapping counts as none")
        .help("write `to` with a room of the importer")
}
