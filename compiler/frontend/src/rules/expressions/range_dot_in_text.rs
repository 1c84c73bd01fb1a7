//! `range-dot-in-text`: a dot before a letter in a text literal of a range body is taken for the element (`expressions` 8.4).

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "range-dot-in-text",
    level: Level::Warning,
    summary: "a dot inside of a text literal of a range is rewritten",
    fixable: Fixable::Never,
};

use super::gather::{Item, Parsed};

/// Checks the text literals of range bodies.
pub(super) fn check(cx: &StoryCx<'_>, item: &Item<'_>, out: &mut Vec<Diagnostic>) {
    let text = item.text().as_str();
    if !matches!(item.parsed, Parsed::T(_)) || !item.is_written() || !text.contains("range ") {
        return;
    }
    // One entry for each open block: whether it is a range.
    let mut open: Vec<bool> = Vec::new();
    for (start, inside) in super::braces(text) {
        let word = inside.trim().split(' ').next().unwrap_or_default();
        match word {
            "if" => open.push(false),
            "range" => open.push(true),
            "end" => drop(open.pop()),
            _ => {}
        }
        if !open.contains(&true) || matches!(word, "range" | "else" | "end") {
            continue;
        }
        if let Some((at, len)) = dot_in_literal(inside) {
            out.push(
                RULE.at(
                    item.place(cx, kitsoki_syntax::text_range(start + at, start + at + len)),
                    "becomes a member of the element",
                )
                .message("inside of a range a dot before a letter means the element, also in a text")
                .help("put another character than a blank before the dot"),
            );
        }
    }
}

/// The first `.name` in a text literal that no name character precedes.
fn dot_in_literal(inside: &str) -> Option<(usize, usize)> {
    let mut quote: Option<char> = None;
    let mut before = ' ';
    for (i, c) in inside.char_indices() {
        let rest = inside.get(i + c.len_utf8()..).unwrap_or_default();
        match quote {
            None if matches!(c, '\'' | '"' | '`') => quote = Some(c),
            Some(q) if c == q && before != '\\' => quote = None,
            Some(_) if c == '.' && !(before.is_alphanumeric() || before == '_') => {
                let len = rest
                    .find(|c: char| !(c.is_alphanumeric() || c == '_'))
                    .unwrap_or(rest.len());
                if rest.starts_with(|c: char| c.is_alphabetic() || c == '_') {
                    return Some((i, 1 + len));
                }
            }
            _ => {}
        }
        before = c;
    }
    None
}
