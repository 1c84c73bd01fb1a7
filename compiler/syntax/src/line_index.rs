//! Bytes to lines and columns and back, for the edges that speak of lines: reports and editors.

use crate::span::{range, size};
use crate::{TextRange, TextSize};

/// A line and a column, both counted from 1. The column counts characters: a tab is one, a byte order mark none.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct LineCol {
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub col: u32,
}

/// Where the lines of a text begin. A line ends with LF, CR LF or a lone CR.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineIndex {
    /// Each line without its line end; never empty.
    lines: Vec<TextRange>,
    /// Every character of more than one byte.
    wide: Vec<Wide>,
    len: TextSize,
}

/// A character of more than one byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Wide {
    start: TextSize,
    /// Its bytes.
    len: u32,
    /// Bytes minus characters of the text before it.
    chars: u32,
    /// Bytes minus UTF-16 units of the text before it.
    units: u32,
}

/// What columns count.
#[derive(Clone, Copy)]
enum Unit {
    Chars,
    Utf16,
}

impl Wide {
    fn width(&self, unit: Unit) -> u32 {
        match unit {
            Unit::Utf16 if self.len == 4 => 2,
            _ => 1,
        }
    }

    fn saved(&self, unit: Unit) -> u32 {
        match unit {
            Unit::Chars => self.chars,
            Unit::Utf16 => self.units,
        }
    }

    fn end(&self) -> TextSize {
        self.start + TextSize::new(self.len)
    }
}

/// The first byte at or behind `at` that begins a line end or a wide character, eight bytes at a step: an editor indexes a
/// large text after every key.
fn skip_plain(bytes: &[u8], mut at: usize) -> usize {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const HIGH: u64 = ONES << 7;
    let holds = |word: u64, byte: u8| {
        let x = word ^ (ONES * u64::from(byte));
        x.wrapping_sub(ONES) & !x & HIGH != 0
    };
    while let Some(word) = bytes.get(at..).and_then(<[u8]>::first_chunk) {
        let word = u64::from_ne_bytes(*word);
        if word & HIGH != 0 || holds(word, b'\n') || holds(word, b'\r') {
            break;
        }
        at += 8;
    }
    let rest = bytes.get(at..).unwrap_or_default();
    let plain = rest.iter().position(|b| !b.is_ascii() || matches!(b, b'\n' | b'\r'));
    at + plain.unwrap_or(rest.len())
}

impl LineIndex {
    /// Indexes a text.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let mut lines = Vec::new();
        let mut wide: Vec<Wide> = Vec::new();
        let bytes = text.as_bytes();
        let (mut at, mut start, mut chars, mut units) = (0, 0, 0, 0);
        loop {
            at = skip_plain(bytes, at);
            let Some(byte) = bytes.get(at) else { break };
            let len: u32 = match byte {
                b'\n' | b'\r' => {
                    let end = at;
                    at += if bytes.get(at..at + 2) == Some(b"\r\n") { 2 } else { 1 };
                    lines.push(range(start, end));
                    start = at;
                    continue;
                }
                0..0x80 => 1,
                0x80..0xE0 => 2,
                0xE0..0xF0 => 3,
                0xF0.. => 4,
            };
            if len > 1 {
                wide.push(Wide {
                    start: size(at),
                    len,
                    chars,
                    units,
                });
                chars += len - 1;
                units += if len == 4 { 2 } else { len - 1 };
            }
            at += len as usize;
        }
        lines.push(range(start, text.len()));
        if let (true, Some(first)) = (text.starts_with('\u{FEFF}'), lines.first_mut()) {
            *first = TextRange::new(TextSize::new(3), first.end());
        }
        Self {
            lines,
            wide,
            len: size(text.len()),
        }
    }

    /// The number of lines; a text that ends with a line end has one more, empty line.
    #[must_use]
    pub fn line_count(&self) -> u32 {
        u32::try_from(self.lines.len()).unwrap_or(u32::MAX)
    }

    /// Line and column of an offset; one beyond the text counts as its end, one inside of a line end as the end of the line.
    #[must_use]
    pub fn line_col(&self, offset: TextSize) -> LineCol {
        let (line, col) = self.locate(offset, Unit::Chars);
        LineCol {
            line: line + 1,
            col: col + 1,
        }
    }

    /// Line and column as editors count them: both from 0, the column in UTF-16 units.
    #[must_use]
    pub fn utf16(&self, offset: TextSize) -> (u32, u32) {
        self.locate(offset, Unit::Utf16)
    }

    /// The offset of a line and column, both from 1; a column behind the end of the line counts as its end.
    #[must_use]
    pub fn offset(&self, place: LineCol) -> TextSize {
        self.find(place.line.saturating_sub(1), place.col.saturating_sub(1), Unit::Chars)
    }

    /// The offset of a line and a column in UTF-16 units, both from 0; a column behind the end of the line counts as its
    /// end, one inside of a surrogate pair as the start of its character.
    #[must_use]
    pub fn offset_utf16(&self, line: u32, units: u32) -> TextSize {
        self.find(line, units, Unit::Utf16)
    }

    /// The bytes of a line counted from 1, without its line end and without a byte order mark. A line that is not there is
    /// empty at the end of the text.
    #[must_use]
    pub fn line_range(&self, line: u32) -> TextRange {
        self.line(line.saturating_sub(1))
    }

    fn line(&self, line: u32) -> TextRange {
        self.lines
            .get(line as usize)
            .copied()
            .unwrap_or(TextRange::empty(self.len))
    }

    fn locate(&self, offset: TextSize, unit: Unit) -> (u32, u32) {
        let line = self
            .lines
            .partition_point(|line| line.start() <= offset)
            .saturating_sub(1);
        let line = u32::try_from(line).unwrap_or(u32::MAX);
        let range = self.line(line);
        let offset = offset.clamp(range.start(), range.end());
        let bytes = u32::from(offset) - u32::from(range.start());
        (
            line,
            bytes - (self.saved(offset, unit) - self.saved(range.start(), unit)),
        )
    }

    /// Bytes minus columns of the text before an offset.
    fn saved(&self, offset: TextSize, unit: Unit) -> u32 {
        let behind = self.wide.partition_point(|wide| wide.start < offset);
        match behind.checked_sub(1).and_then(|last| self.wide.get(last)) {
            Some(last) => last.saved(unit) + last.len - last.width(unit),
            None => 0,
        }
    }

    fn find(&self, line: u32, column: u32, unit: Unit) -> TextSize {
        let range = self.line(line);
        let base = self.saved(range.start(), unit);
        let first = self.wide.partition_point(|wide| wide.start < range.start());
        let last = self.wide.partition_point(|wide| wide.start < range.end());
        let on_line = self.wide.get(first..last).unwrap_or_default();
        let column_of = |wide: &Wide| u32::from(wide.start) - u32::from(range.start()) - (wide.saved(unit) - base);
        let before = on_line.partition_point(|wide| column_of(wide) < column);
        let offset = match before.checked_sub(1).and_then(|last| on_line.get(last)) {
            None => u32::from(range.start()).saturating_add(column),
            Some(wide) => match column.checked_sub(column_of(wide) + wide.width(unit)) {
                None => wide.start.into(),
                Some(rest) => u32::from(wide.end()).saturating_add(rest),
            },
        };
        TextSize::new(offset).min(range.end())
    }
}

#[cfg(test)]
mod tests {
    use super::{LineCol, LineIndex};
    use crate::span::{range, size};

    fn at(line: u32, col: u32) -> LineCol {
        LineCol { line, col }
    }

    #[test]
    fn every_kind_of_line_end_counts_once() {
        let index = LineIndex::new("a\nb\r\nc\rd\n");
        assert_eq!(index.line_count(), 5);
        assert_eq!(index.line_col(size(2)), at(2, 1));
        assert_eq!(index.line_col(size(5)), at(3, 1));
        assert_eq!(index.line_col(size(7)), at(4, 1));
        assert_eq!(index.line_col(size(9)), at(5, 1));
        assert_eq!(index.line_range(2), range(2, 3));
        assert_eq!(index.line_range(9), range(9, 9));
    }

    #[test]
    fn columns_are_characters_and_a_tab_is_one() {
        let text = "k:\té🍵x";
        let index = LineIndex::new(text);
        assert_eq!(index.line_col(size(3)), at(1, 4));
        assert_eq!(index.line_col(size(5)), at(1, 5));
        assert_eq!(index.line_col(size(9)), at(1, 6));
        assert_eq!(index.utf16(size(9)), (0, 6));
        assert_eq!(index.offset(at(1, 6)), size(9));
        assert_eq!(index.offset_utf16(0, 6), size(9));
        assert_eq!(index.offset_utf16(0, 5), size(5), "inside of the pair");
    }

    #[test]
    fn a_byte_order_mark_has_no_column() {
        let index = LineIndex::new("\u{FEFF}app: x\n");
        assert_eq!(index.line_col(size(3)), at(1, 1));
        assert_eq!(index.line_col(size(0)), at(1, 1));
        assert_eq!(index.offset(at(1, 1)), size(3));
        assert_eq!(index.utf16(size(7)), (0, 4));
    }

    #[test]
    fn every_offset_finds_back() {
        let text = "\u{FEFF}añ: 🍵🍵\r\n\r\n  ü\rz";
        let index = LineIndex::new(text);
        for (offset, _) in text.char_indices().filter(|(_, c)| !matches!(c, '\u{FEFF}' | '\n')) {
            let offset = size(offset);
            assert_eq!(index.offset(index.line_col(offset)), offset);
            let (line, units) = index.utf16(offset);
            assert_eq!(index.offset_utf16(line, units), offset);
        }
    }
}
