//! `guard-not-bool`: a guard whose value is declared as another kind than bool (`expressions` 5.2).

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "guard-not-bool",
    level: Level::Warning,
    summary: "a guard that reads something that is no bool",
    fixable: Fixable::Never,
};

use kitsoki_expr::RefKind;

use super::gather::Item;

/// A guard whose value is known not to be a bool.
pub(super) fn at(cx: &StoryCx<'_>, item: &Item<'_>) -> Diagnostic {
    let text = item.text().as_str();
    let blank = text.len() - text.trim_start().len();
    let whole = kitsoki_syntax::text_range(blank, blank + text.trim().len());
    let chain = item
        .references
        .iter()
        .find(|r| r.kind == RefKind::Read && r.range == whole);
    let declared = chain
        .and_then(|r| r.path.first())
        .and_then(kitsoki_expr::Segment::name)
        .and_then(|k| cx.world_var(k));
    let finding = RULE
        .at(item.place(cx, whole), "no bool")
        .message("a guard yields a bool or nothing: anything else makes the turn fail")
        .help("compare it with a value");
    match declared.and_then(|d| d.ty.as_ref()) {
        Some(ty) => finding.label(cx.inside(&ty.value), "the declared type"),
        None => finding,
    }
}
