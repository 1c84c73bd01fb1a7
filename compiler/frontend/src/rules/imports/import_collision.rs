//! `import-collision`: a name of the child with its prefix exists already (`imports` 5 F7-F12).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "import-collision",
    level: Level::Error,
    summary: "a folded name that is taken",
    fixable: Fixable::Never,
};

/// The child's declaration and the importer's.
pub(crate) fn at(span: Span, kind: &str, flat: &str, alias: &Text, own: Span) -> Diagnostic {
    RULE.at(span, format!("becomes {}", code(flat)))
        .message(format!("the {kind} {} is taken", code(flat)))
        .label(own, "the importer's own")
        .help(format!(
            "rename one of the two, or give the import another alias than {}",
            code(alias.as_str())
        ))
}

/// Two folds want one name.
pub(crate) fn folds(span: Span, kind: &str, flat: &str, other: Span, more: usize) -> Diagnostic {
    let finding = RULE
        .at(span, format!("this import wants {}", code(flat)))
        .message(format!("two imports both make the {kind} {}", code(flat)))
        .label(other, "and so does this one")
        .help("give one of the two another alias");
    if more == 0 {
        finding
    } else {
        finding.note(format!("and {more} more names"))
    }
}
