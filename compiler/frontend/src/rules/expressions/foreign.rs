//! Operators of other languages: what is written where an expression breaks off, and what it is called here.

use kitsoki_expr::{ErrorClass, ExprError, names};
use kitsoki_syntax::TextRange;

use kitsoki_syntax::text_range;

/// An operator that expressions do not have.
pub(super) struct Foreign {
    /// Where it stands.
    pub(super) range: TextRange,
    /// As written.
    pub(super) written: String,
    /// What it is called here.
    pub(super) ours: &'static str,
}

/// The foreign operator at an error, if there is one.
pub(super) fn at(text: &str, error: &ExprError) -> Option<Foreign> {
    if !matches!(error.class, ErrorClass::Parse | ErrorClass::Lex) {
        return None;
    }
    let start = usize::from(error.range.start());
    signs(text, start)
        .or_else(|| word(text, start))
        .or_else(|| bar(text, start))
}

/// A whole text in braces, as templates and other tools have it: all of it, and what stands inside.
pub(super) fn in_braces(text: &str) -> Option<(TextRange, TextRange)> {
    let whole = text.trim();
    let start = text.len() - text.trim_start().len();
    let rest = whole.strip_prefix('$').unwrap_or(whole);
    let inner = rest.strip_prefix("{{")?.strip_suffix("}}")?;
    if inner.trim().is_empty() || inner.contains("{{") || inner.contains("}}") {
        return None;
    }
    let from = start + (whole.len() - rest.len()) + 2 + (inner.len() - inner.trim_start().len());
    Some((
        text_range(start, start + whole.len()),
        text_range(from, from + inner.trim().len()),
    ))
}

/// A run of signs around the error: `===`, `=>`, `&`.
fn signs(text: &str, at: usize) -> Option<Foreign> {
    let sign = |c: &char| "=<>!&|".contains(*c);
    let left: usize = text.get(..at)?.chars().rev().take_while(sign).map(char::len_utf8).sum();
    let right: usize = text.get(at..)?.chars().take_while(sign).map(char::len_utf8).sum();
    let (from, to) = (at - left, at + right);
    let written = text.get(from..to)?;
    let ours = match written {
        "=" | "===" => "==",
        "=!" | "<>" | "!==" | "=!=" => "!=",
        "=>" => ">=",
        "=<" => "<=",
        "&" | "&&&" => "&&",
        "|" | "|||" => "||",
        _ => return None,
    };
    Some(Foreign {
        range: text_range(from, to),
        written: written.to_owned(),
        ours,
    })
}

/// Words in capitals: `AND`, `OR`, `NOT`.
fn word(text: &str, at: usize) -> Option<Foreign> {
    // `NOT x`: the name before is read as an operand, and reading stops at the next one.
    let before = text.get(..at)?.trim_end();
    if before.ends_with("NOT")
        && !before
            .trim_end_matches("NOT")
            .ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '.')
    {
        let from = before.len() - 3;
        return Some(Foreign {
            range: text_range(from, from + 3),
            written: "NOT".to_owned(),
            ours: "not",
        });
    }
    let rest = text.get(at..)?;
    let len = rest
        .find(|c: char| !c.is_alphanumeric() && c != '_')
        .unwrap_or(rest.len());
    let written = rest.get(..len)?;
    let ours = match written {
        "AND" | "And" => "&&",
        "OR" | "Or" => "||",
        "IN" | "In" => "in",
        _ => return None,
    };
    Some(Foreign {
        range: text_range(at, at + len),
        written: written.to_owned(),
        ours,
    })
}

/// A single bar before a chain: the bar is a pipe into a function here, so reading stops behind the name.
fn bar(text: &str, at: usize) -> Option<Foreign> {
    let before = text.get(..at)?.trim_end();
    let name_len: usize = before
        .chars()
        .rev()
        .take_while(|c| c.is_alphanumeric() || *c == '_')
        .map(char::len_utf8)
        .sum();
    let name = before.get(before.len() - name_len..)?;
    let head = before.get(..before.len() - name_len)?.trim_end();
    let single = head.ends_with('|') && !head.ends_with("||");
    let root = names::ROOTS.iter().any(|r| r.name == name);
    (single && root).then(|| Foreign {
        range: text_range(head.len() - 1, head.len()),
        written: "|".to_owned(),
        ours: "||",
    })
}
