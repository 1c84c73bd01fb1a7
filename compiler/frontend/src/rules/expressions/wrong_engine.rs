//! `wrong-engine`: view tags in a value template, or a value template's words in a view (`expressions` 1).

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "wrong-engine",
    level: Level::Warning,
    summary: "text of one template language where the other is read",
    fixable: Fixable::Never,
};

use super::super::walk::Role;
use super::gather::Item;

/// View tags in a value template: they stay text.
pub(super) fn check(cx: &StoryCx<'_>, item: &Item<'_>, out: &mut Vec<Diagnostic>) {
    if !matches!(
        item.site.role,
        Role::Value | Role::EmitIntent | Role::Bind | Role::CompleteTarget
    ) || !item.is_written()
    {
        return;
    }
    let text = item.text().as_str();
    if !kitsoki_expr::has_tag(text) {
        return;
    }
    let Some(start) = text.find("{%") else { return };
    let Some(len) = text.get(start..).and_then(|t| t.find("%}")) else {
        return;
    };
    let place = item.place(cx, kitsoki_syntax::text_range(start, start + len + 2));
    out.push(
        RULE.at(place, "stays text")
            .message("view tags mean nothing in a value: they are passed on as they stand")
            .help("a value template has `{{ if … }}`, `{{ else }}`, `{{ end }}` and the ternary `a ? b : c`"),
    );
}
