//! `meta-mode-default-count`: a group of two or more meta modes needs exactly one `default: true` (`language` 4.5, D68).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "meta-mode-default-count",
    level: Level::Error,
    summary: "a group of meta modes without exactly one default",
    fixable: Fixable::Never,
};

/// No mode of the group is the default.
pub(crate) fn none(last: Span, first: Option<Span>, group: &str) -> Diagnostic {
    let finding = RULE
        .at(last, "a mode of a group of several")
        .message(format!("the group {} has no default mode", code(group)))
        .help("set `default: true` on one of its modes");
    first.into_iter().fold(finding, |f, at| f.label(at, "another one"))
}

/// Several modes are. `builtin` is the key of a built-in one among them.
pub(crate) fn many(last: Span, first: Option<Span>, group: &str, builtin: Option<&str>) -> Diagnostic {
    let finding = RULE
        .at(last, "one default too many")
        .message(format!("the group {} has more than one default", code(group)));
    let finding = first.into_iter().fold(finding, |f, at| f.label(at, "the other one"));
    match builtin {
        Some(key) => finding.note(format!(
            "the built-in mode {} is the default of this group already",
            code(key)
        )),
        None => finding,
    }
}
