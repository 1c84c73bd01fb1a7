//! `template-in-literal`: braces in a position that no engine renders (`expressions` 1.1).

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "template-in-literal",
    level: Level::Warning,
    summary: "braces where nothing is rendered",
    fixable: Fixable::Never,
};

use super::super::walk::Role;
use super::gather::Item;

/// Checks a literal text for braces.
pub(super) fn check(cx: &StoryCx<'_>, item: &Item<'_>, out: &mut Vec<Diagnostic>) {
    if item.site.role != Role::Literal || !item.is_written() {
        return;
    }
    let text = item.text().as_str();
    if !kitsoki_expr::has_delimiters(text) {
        return;
    }
    let Some((start, end)) = braces(text, "{{", "}}").or_else(|| braces(text, "{%", "%}")) else {
        return;
    };
    let inside = text.get(start + 2..end).unwrap_or_default().trim_start();
    // Phases replace these before anything else; what they leave has a rule of its own.
    if ["tpl.", "phase."].iter().any(|root| inside.starts_with(root)) {
        return;
    }
    let what = if item.site.key == "set" {
        "the name of a world key".to_owned()
    } else {
        code(item.site.key)
    };
    out.push(
        RULE.at(
            item.place(cx, kitsoki_syntax::text_range(start, end)),
            "shown or used with its braces",
        )
        .message(format!("{what} is never rendered")),
    );
}

fn braces(text: &str, open: &str, close: &str) -> Option<(usize, usize)> {
    let start = text.find(open)?;
    let end = text.get(start..)?.find(close)?;
    Some((start, start + end + close.len()))
}
