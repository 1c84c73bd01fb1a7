//! Texts of several lines: block texts move as a whole, folded lines of other texts stand below their first or where the
//! collection around them says.

use crate::tokens::Body;

/// A line with its line end (empty at the end of the text).
pub(crate) struct RawLine<'t> {
    pub text: &'t str,
    pub ending: &'t str,
}

/// The lines of a text.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = RawLine<'_>> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let now = rest?;
        let len = now.find(['\n', '\r']).unwrap_or(now.len());
        let (line, behind) = now.split_at_checked(len)?;
        let ending = if behind.starts_with("\r\n") {
            2
        } else {
            behind.len().min(1)
        };
        let (ending, after) = behind.split_at_checked(ending)?;
        rest = (!ending.is_empty()).then_some(after);
        Some(RawLine { text: line, ending })
    })
}

fn spaces(line: &str) -> usize {
    line.bytes().take_while(|b| *b == b' ').count()
}

/// Spaces before the content of a block text: those of its first line that is not blank, else those of its longest.
pub(crate) fn indent(content: &str) -> usize {
    let mut longest = 0;
    for line in lines(content) {
        let own = spaces(line.text);
        if own < line.text.len() {
            return own;
        }
        longest = longest.max(own);
    }
    longest
}

/// A line of a block text at its new place. Spaces beyond its content column are part of it.
pub(crate) fn body_line(line: &str, body: Body) -> String {
    let own = spaces(line);
    let blank = own == line.len();
    match line.get(body.from.min(own)..) {
        Some(rest) if !blank || own > body.from => format!("{}{rest}", " ".repeat(body.to)),
        _ => String::new(),
    }
}

/// Where a folded line goes.
pub(crate) struct Folded {
    /// The column of the first line, before and after.
    pub start: (usize, usize),
    /// The column when it does not stand below the first line; `None` leaves it where it is.
    pub column: Option<usize>,
    /// In double quotes a blank behind a `\` is part of the text.
    pub escapes: bool,
}

/// A line of a text over several lines behind its first one.
pub(crate) fn folded_line(line: &str, last: bool, how: &Folded) -> String {
    let text = line.trim_start_matches([' ', '\t']);
    if text.is_empty() && !last {
        return String::new();
    }
    let now = line.chars().count() - text.chars().count();
    let (from, to) = how.start;
    let column = match how.column {
        // Below the first letter, or below the letter behind the quote.
        _ if now == from => to,
        _ if now == from + 1 => to + 1,
        Some(column) => column,
        None => now,
    };
    format!("{}{}", " ".repeat(column), trim_end(text, last, how.escapes))
}

/// A line without the blanks at its end, which folding removes.
pub(crate) fn trim_end(line: &str, last: bool, escapes: bool) -> &str {
    let trimmed = line.trim_end_matches([' ', '\t']);
    if last || (escapes && trimmed.ends_with('\\')) {
        line
    } else {
        trimmed
    }
}
