//! `starlark-literal-int`: a non-negative literal integer, which the reference refuses for `int` and `number` (`starlark` 3).

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "starlark-literal-int",
    level: Level::Hint,
    summary: "a literal integer input that the Go implementation refuses",
    fixable: Fixable::Never,
};

use super::sidecar::Declared;

/// A hint for an integer from zero on.
pub(super) fn check(entry: &AnyEntry, declared: &Declared) -> Option<Diagnostic> {
    let (word, place) = declared.ty.as_ref()?;
    let literal = matches!(entry.value.kind, AnyKind::Int(0..) | AnyKind::Uint(_));
    (literal && matches!(word.as_str(), "int" | "number")).then(|| {
        RULE.at(entry.value.span, "a literal integer")
            .message("the Go implementation refuses a literal integer here")
            .label(*place, "the declared type")
            .help("a story that must load there too writes it as a template, or with a decimal point")
    })
}
