//! Lines as people see them: indentation, dashes, key, colon and value, without parsing.

use std::ops::Range;

use crate::TextRange;
use crate::span::{range, size};

/// One line of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Line<'t> {
    text: &'t str,
    /// First byte.
    pub start: usize,
    /// Behind the last byte, the line end not included.
    pub end: usize,
}

impl<'t> Line<'t> {
    /// The line that holds an offset.
    pub fn at(text: &'t str, offset: usize) -> Self {
        let offset = floor(text, offset);
        let start = text
            .get(..offset)
            .unwrap_or_default()
            .rfind(['\n', '\r'])
            .map_or(0, |found| found + 1);
        let rest = text.get(start..).unwrap_or_default();
        let end = start + rest.find(['\n', '\r']).unwrap_or(rest.len());
        Self { text, start, end }
    }

    /// The text of the line.
    pub fn text(&self) -> &'t str {
        self.text.get(self.start..self.end).unwrap_or_default()
    }

    /// The line before, blank ones passed over.
    pub fn above(&self) -> Option<Self> {
        let mut line = self.clone();
        while line.start > 0 {
            line = Self::at(self.text, line.start - 1);
            // Between CR and LF there is no line.
            if !line.is_blank() {
                return Some(line);
            }
        }
        None
    }

    /// The line behind, blank ones passed over.
    pub fn below(&self) -> Option<Self> {
        let mut line = self.clone();
        while line.end < self.text.len() {
            line = Self::at(self.text, line.end + 1);
            if !line.is_blank() {
                return Some(line);
            }
        }
        None
    }

    /// Nothing but blanks, or only a comment.
    pub fn is_blank(&self) -> bool {
        let text = self.text().trim();
        text.is_empty() || text.starts_with('#')
    }

    /// Blanks and tabs before the first other character.
    pub fn indent(&self) -> usize {
        self.text().len() - self.text().trim_start_matches([' ', '\t']).len()
    }

    /// First byte that is no blank.
    pub fn body(&self) -> usize {
        self.start + self.indent()
    }

    /// The bytes from the first to the last character that is no blank, a comment left aside.
    pub fn content(&self) -> TextRange {
        let end = comment_in(self.text()).map_or(self.end, |at| self.start + at);
        let body = self.body().min(end);
        let text = self.text.get(body..end).unwrap_or_default().trim_end();
        range(body, body + text.len())
    }

    /// Where the first thing behind all dashes stands.
    pub fn item(&self) -> usize {
        let mut at = self.body();
        while let Some(rest) = self.text.get(at..self.end).and_then(|rest| rest.strip_prefix("- ")) {
            at = self.end - rest.trim_start_matches(' ').len();
        }
        at
    }

    /// Whether the line starts with a dash.
    pub fn is_item(&self) -> bool {
        let body = self.text.get(self.body()..self.end).unwrap_or_default();
        body == "-" || body.starts_with("- ")
    }

    /// The key of the line and its colon: the first colon before a blank, outside of quotes and brackets.
    pub fn key(&self) -> Option<(Range<usize>, usize)> {
        let item = self.item();
        let colon = item + first_colon(self.text.get(item..self.end).unwrap_or_default())?;
        Some((item..colon, colon))
    }

    /// Where the value of the line starts: behind the key, else behind the dashes.
    pub fn value(&self) -> usize {
        let behind = self.key().map_or_else(|| self.item(), |(_, colon)| colon + 1);
        let rest = self.text.get(behind..self.end).unwrap_or_default();
        self.end - rest.trim_start_matches([' ', '\t']).len()
    }

    /// The value of the line, a comment left aside.
    pub fn value_text(&self) -> &'t str {
        let end: usize = self.content().end().into();
        self.text.get(self.value()..end).unwrap_or_default()
    }

    /// Whether the value of the line stands on it.
    pub fn has_value(&self) -> bool {
        let value = self.value_text();
        !(value.is_empty() || value.starts_with(['|', '>']) && value.len() <= 3)
    }

    /// The number of the line, from 1.
    pub fn number(&self) -> usize {
        let before = self.text.as_bytes().get(..self.start).unwrap_or_default();
        before.iter().filter(|b| **b == b'\n').count() + 1
    }

    /// This line and those below that are indented deeper, as far as `end`: what belongs to it by its indentation.
    pub fn with_children(&self) -> TextRange {
        let indent = self.indent();
        let mut last = self.clone();
        while let Some(below) = last.below() {
            if below.indent() <= indent {
                break;
            }
            last = below;
        }
        TextRange::new(size(self.body()), size(last.end))
    }
}

/// The next character boundary at or before an offset.
pub(super) fn floor(text: &str, offset: usize) -> usize {
    let mut at = offset.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The bytes of the character at an offset; empty at the end of the text.
pub(super) fn char_at(text: &str, offset: usize) -> TextRange {
    let at = floor(text, offset);
    let len = text
        .get(at..)
        .and_then(|rest| rest.chars().next())
        .map_or(0, char::len_utf8);
    range(at, at + len)
}

/// The first colon before a blank or the end, outside of quotes and brackets.
pub(super) fn first_colon(text: &str) -> Option<usize> {
    let mut scan = Scan::new(text);
    while let Some((at, c)) = scan.next() {
        let ends = text
            .get(at + 1..)
            .is_none_or(|rest| rest.is_empty() || rest.starts_with([' ', '\t']));
        if c == ':' && ends && scan.depth == 0 {
            return Some(at);
        }
    }
    None
}

/// Where a comment starts: `#` at the start or behind a blank, outside of quotes.
fn comment_in(text: &str) -> Option<usize> {
    let mut scan = Scan::new(text);
    let mut before = ' ';
    while let Some((at, c)) = scan.next() {
        if c == '#' && matches!(before, ' ' | '\t') {
            return Some(at);
        }
        before = c;
    }
    None
}

/// The characters outside of quoted texts, with the depth of brackets.
struct Scan<'t> {
    chars: std::str::CharIndices<'t>,
    /// Quotes open only where a value starts.
    fresh: bool,
    depth: usize,
}

impl<'t> Scan<'t> {
    fn new(text: &'t str) -> Self {
        Self {
            chars: text.char_indices(),
            fresh: true,
            depth: 0,
        }
    }

    fn next(&mut self) -> Option<(usize, char)> {
        let (at, c) = self.chars.next()?;
        match c {
            '"' | '\'' if self.fresh => {
                // To the closing quote, or to the end when there is none.
                while let Some((_, inner)) = self.chars.next() {
                    if inner == '\\' && c == '"' {
                        self.chars.next();
                    } else if inner == c {
                        break;
                    }
                }
                self.fresh = false;
                return Some((at, c));
            }
            '[' | '{' if self.fresh || self.depth > 0 => self.depth += 1,
            ']' | '}' => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        self.fresh = match c {
            ' ' | '\t' => self.fresh || self.chars.as_str().is_empty(),
            '[' | '{' | ',' | ':' | '-' => true,
            _ => false,
        };
        Some((at, c))
    }
}

#[cfg(test)]
mod tests {
    use super::{Line, first_colon};
    use crate::span::{range, slice};

    #[test]
    fn parts_of_a_line() {
        let text = "a:\n  - - key: \"v: w\" # c\n\nb: 1";
        let line = Line::at(text, 10);
        assert_eq!(line.text(), "  - - key: \"v: w\" # c");
        assert_eq!(line.indent(), 2);
        let (key, _) = line.key().unwrap();
        assert_eq!(&text[key], "key");
        assert_eq!(text[line.value()..].chars().next(), Some('"'));
        assert_eq!(slice(text, line.content()), "- - key: \"v: w\"");
        assert_eq!(line.above().unwrap().text(), "a:");
        assert_eq!(line.below().unwrap().text(), "b: 1");
        assert_eq!(line.number(), 2);
    }

    #[test]
    fn colons_in_quotes_and_brackets_do_not_count() {
        assert_eq!(first_colon("'a: b': c"), Some(6));
        assert_eq!(first_colon("{a: b}: c"), Some(6));
        assert_eq!(first_colon("http://x"), None);
        assert_eq!(first_colon("it's: x"), Some(4));
        assert_eq!(first_colon("a:"), Some(1));
    }

    #[test]
    fn children_are_deeper_lines() {
        let text = "a:\n  b:\n    c: 1\n\n    d: 2\n  e: 3\n";
        assert_eq!(Line::at(text, 6).with_children(), range(5, 26));
    }
}
