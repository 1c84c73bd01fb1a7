//! Changed lines as edits: an editor keeps its cursor and marks where nothing changed.

use kitsoki_syntax::{TextRange, TextSize};

/// A part of the old text and what replaces it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edit {
    /// The bytes that go.
    pub range: TextRange,
    /// What comes instead.
    pub text: String,
}

/// The edits from a text to its formatted form, line by line, in order.
///
/// ```
/// let old = "a:  1\nb: 2\n";
/// let new = kitsoki_fmt::format(old).unwrap();
/// let edits = kitsoki_fmt::edits(old, &new);
/// assert_eq!(edits.len(), 1);
/// assert_eq!(&old[edits[0].range], "a:  1\n");
/// ```
#[must_use]
pub fn edits(old: &str, new: &str) -> Vec<Edit> {
    let mut out: Vec<Edit> = Vec::new();
    for edit in by_line(old, new) {
        match out.last_mut() {
            Some(last) if last.range.end() == edit.range.start() => {
                last.range = TextRange::new(last.range.start(), edit.range.end());
                last.text.push_str(&edit.text);
            }
            _ => out.push(edit),
        }
    }
    out
}

/// The same with an edit for each line.
pub(crate) fn by_line(old: &str, new: &str) -> Vec<Edit> {
    let mut out: Vec<Edit> = Vec::new();
    let mut new = new.split_inclusive('\n').peekable();
    let mut at = 0;
    for line in old.split_inclusive('\n') {
        let end = at + line.len();
        match new.peek() {
            Some(next) if *next == line => {
                new.next();
            }
            Some(next) if words(next) == words(line) => {
                push(&mut out, at, end, next);
                new.next();
            }
            // Only blank lines go.
            _ => push(&mut out, at, end, ""),
        }
        at = end;
    }
    let rest: String = new.collect();
    if !rest.is_empty() {
        push(&mut out, at, at, &rest);
    }
    out
}

/// A line without its blanks: what the formatter keeps.
fn words(line: &str) -> String {
    line.chars()
        .filter(|c| !c.is_whitespace() && *c != '\u{FEFF}')
        .collect()
}

fn push(out: &mut Vec<Edit>, start: usize, end: usize, text: &str) {
    let size = |at: usize| TextSize::try_from(at).unwrap_or_default();
    out.push(Edit {
        range: TextRange::new(size(start), size(end)),
        text: text.to_owned(),
    });
}
