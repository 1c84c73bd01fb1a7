//! `else-if-ignored`: the condition behind `{{ else if` is ignored (`expressions` 8.2).

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "else-if-ignored",
    level: Level::Warning,
    summary: "a condition behind `else` of a value template",
    fixable: Fixable::Never,
};

use super::gather::{Item, Parsed};

/// Checks the blocks of a value template.
pub(super) fn check(cx: &StoryCx<'_>, item: &Item<'_>, out: &mut Vec<Diagnostic>) {
    if !matches!(item.parsed, Parsed::T(_)) || !item.is_written() || !item.text().as_str().contains("else ") {
        return;
    }
    for (start, inside) in super::braces(item.text().as_str()) {
        let Some(rest) = inside.trim_start().strip_prefix("else ") else {
            continue;
        };
        let rest = rest.trim();
        if rest.is_empty() {
            continue;
        }
        let at = start + inside.find(rest).unwrap_or(0);
        out.push(
            RULE.at(
                item.place(cx, kitsoki_syntax::text_range(at, at + rest.len())),
                "nothing looks at this",
            )
            .message("a value template has no `else if`: this is a plain `else`")
            .help("put an `{{ if … }}` with its own `{{ end }}` inside of the `else`, or use a ternary"),
        );
    }
}
