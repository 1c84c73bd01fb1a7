//! Exact places: of values that are not there, of block texts with their heads, of tabs in front of collections.

use super::super::events::Place;
use super::{Builder, Children};
use crate::span::{range, size, slice};
use crate::{NodeId, ScalarStyle, TextRange};

impl Builder<'_> {
    /// Whether a tab stands where the line of a collection starts or between a dash and the collection: its column is
    /// anybody's guess.
    pub(super) fn tab_before(&self, start: usize) -> bool {
        let before = self.text.get(..start).unwrap_or_default();
        let blanks = before.trim_end_matches([' ', '\t']);
        let gap = before.get(blanks.len()..).unwrap_or_default();
        match blanks.chars().next_back() {
            Some('-' | '?') => gap.contains('\t'),
            None | Some('\n' | '\r') => gap.starts_with('\t'),
            _ => false,
        }
    }

    /// Where a value that is not there would stand: behind its colon or dash, its tag, or its key.
    pub(super) fn absent_at(&self, place: &Place) -> usize {
        if let Some((_, _, end)) = &place.tag {
            return *end;
        }
        let bytes = self.text.as_bytes();
        let is_key = matches!(
            self.open.last().map(|frame| &frame.children),
            Some(Children::Entries(_, None))
        );
        let ends = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b',' | b']' | b'}');
        if bytes.get(place.start) == Some(&b':') && bytes.get(place.start + 1).is_none_or(ends) {
            return place.start + usize::from(!is_key);
        }
        let before = self.text.get(..place.start).unwrap_or_default();
        let trimmed = before.trim_end_matches([' ', '\t', '\r', '\n']).len();
        // Not back into what stands before: the blank behind `- ` belongs to no one.
        trimmed
            .max(self.open.last().map_or(self.marker, |frame| frame.end.into()))
            .min(place.start)
    }

    /// A blanked part of the text with only blanks between it and `at`.
    pub(super) fn skipped_behind(&self, at: usize) -> Option<TextRange> {
        let at = size(at);
        let next = self.skipped.partition_point(|skipped| skipped.start() < at);
        let skipped = *self.skipped.get(next)?;
        let between = slice(self.text, TextRange::new(at, skipped.start()));
        between.bytes().all(|b| b.is_ascii_whitespace()).then_some(skipped)
    }

    /// From the `|` or `>` to the end of the last line that has text.
    pub(super) fn block_range(&self, style: ScalarStyle, text: &str, place: &Place) -> TextRange {
        let mark = if style == ScalarStyle::Literal { '|' } else { '>' };
        // Empty lines at the end are the header's business; blanks beyond the indentation are text.
        let mut content = self.text.get(place.start..place.end).unwrap_or_default();
        while !content.is_empty() {
            content = content.trim_end_matches(['\n', '\r']);
            let last = content.rfind(['\n', '\r']).map_or(0, |found| found + 1);
            let line = content.get(last..).unwrap_or_default();
            if line.is_empty() || line.len() > place.indent.unwrap_or(0) || line.bytes().any(|b| b != b' ') {
                break;
            }
            content = content.get(..last).unwrap_or_default();
        }
        let no_text = text.trim_end_matches('\n').is_empty();
        let end = if no_text {
            place.start
        } else {
            place.start + content.len()
        };
        let floor = self
            .open
            .last()
            .map_or(0, |frame| usize::from(frame.end))
            .max(self.behind)
            .min(place.start);
        let head = self.text.get(floor..place.start).unwrap_or_default();
        // The header line holds the mark, digits, signs and a comment; the mark is the last one outside of the comment.
        let header_start = self.header(head, mark).map_or(place.start, |found| floor + found);
        if end <= place.start {
            // No text: the header alone.
            let line = self.text.get(header_start..).unwrap_or_default();
            let len = line
                .bytes()
                .take_while(|b| !matches!(b, b' ' | b'\t' | b'\r' | b'\n' | b'#'))
                .count();
            return range(header_start, header_start + len);
        }
        range(header_start, end)
    }

    /// The block mark in the bytes between the node before and the content: the first one that is not part of a tag, an
    /// anchor or a comment.
    pub(super) fn header(&self, head: &str, mark: char) -> Option<usize> {
        let mut word = true;
        let mut comment = false;
        for (at, c) in head.char_indices() {
            match c {
                '\n' | '\r' => {
                    comment = false;
                    word = true;
                }
                _ if comment => {}
                ' ' | '\t' => word = true,
                '\u{FEFF}' => {}
                '#' if word => comment = true,
                _ if c == mark && word => return Some(at),
                // A mark may touch the dash or colon before it only across a blank; a tag ends with one.
                _ => word = false,
            }
        }
        None
    }

    pub(super) fn state_indent(&mut self, id: NodeId, at: TextRange, place: &Place) {
        let header = slice(self.text, at).bytes().skip(1).take(2);
        let stated = header.clone().any(|b| b.is_ascii_digit());
        if let (true, Some(indent)) = (stated, place.indent) {
            self.tree
                .stated_indents
                .insert(id, u32::try_from(indent).unwrap_or(u32::MAX));
        }
    }
}
