//! Templates without quotes: `{{ … }}` is a mapping in a mapping for YAML, `{% … %}` is nothing at all.

use crate::TextRange;
use crate::fault::{Fault, FaultKind};
use crate::span::{range, slice};

/// The fault of a value that starts with `{{` or `{%`. `at` is what has been recognised of it; the value goes on to the end
/// of its line, or inside of brackets (`in_flow`) to the next comma or closing bracket.
pub(super) fn fault(text: &str, at: TextRange, in_flow: bool) -> Fault {
    let start = usize::from(at.start());
    let value = range(start, value_end(text, start, in_flow));
    let reads = if slice(text, value).starts_with("{%") {
        "nothing"
    } else {
        "a mapping"
    };
    Fault::error(
        FaultKind::UnquotedTemplate,
        value,
        "a template without quotes is no text",
        format!("YAML reads these braces as {reads}"),
    )
    .fix("put it in quotes", true, value, quoted(slice(text, value)))
}

/// A text in quotes: double ones unless it has such or a backslash.
pub(super) fn quoted(text: &str) -> String {
    if text.contains(['"', '\\']) {
        format!("'{}'", text.replace('\'', "''"))
    } else {
        format!("\"{text}\"")
    }
}

/// Where a value that starts at `start` ends if it were one plain text on its line.
pub(super) fn value_end(text: &str, start: usize, in_flow: bool) -> usize {
    let line = text.get(start..line_end(text, start)).unwrap_or_default();
    let mut depth = 0_usize;
    let mut end = line.len();
    let mut before = ' ';
    for (at, c) in line.char_indices() {
        match c {
            '#' if before == ' ' && depth == 0 => end = at,
            '{' | '[' => depth += 1,
            '}' | ']' if depth > 0 => depth -= 1,
            ',' | '}' | ']' if in_flow && depth == 0 => end = at,
            _ => {}
        }
        if end < line.len() {
            break;
        }
        before = c;
    }
    start + line.get(..end).unwrap_or_default().trim_end().len()
}

fn line_end(text: &str, start: usize) -> usize {
    let rest = text.get(start..).unwrap_or_default();
    start + rest.find(['\n', '\r']).unwrap_or(rest.len())
}

/// The start of a template where a value starts: behind the indentation, a dash, a colon, a bracket or a comma.
pub(super) fn unquoted(line: &str) -> Option<usize> {
    let mut fresh = true;
    let mut quote = None;
    let mut before = ' ';
    for (at, c) in line.char_indices() {
        match quote {
            Some(open) => {
                if c == open && before != '\\' {
                    quote = None;
                }
            }
            None => match c {
                '"' | '\'' if fresh => quote = Some(c),
                '{' if fresh && line.get(at + 1..).is_some_and(|rest| rest.starts_with(['{', '%'])) => return Some(at),
                '#' if matches!(before, ' ' | '\t') => return None,
                _ => {}
            },
        }
        fresh = match c {
            ' ' | '\t' => fresh,
            '[' | '{' | ',' | '-' => true,
            ':' => true,
            _ => false,
        };
        before = c;
    }
    None
}
