//! Offsets to the client's positions and back, in the encoding that was negotiated.

use gen_lsp_types::{Position, Range};
use kitsoki_syntax::{LineIndex, TextRange, TextSize};

/// How the client counts columns.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Encoding {
    /// Bytes.
    Utf8,
    /// Units of UTF-16, which every client speaks.
    #[default]
    Utf16,
}

impl Encoding {
    /// The position of an offset.
    #[must_use]
    pub fn position(self, index: &LineIndex, offset: TextSize) -> Position {
        let (line, character) = index.utf16(offset);
        match self {
            Encoding::Utf16 => Position { line, character },
            Encoding::Utf8 => {
                let start = index.line_range(line + 1).start();
                let character = u32::from(offset).saturating_sub(start.into());
                let length = u32::from(index.line_range(line + 1).len());
                Position {
                    line,
                    character: character.min(length),
                }
            }
        }
    }

    /// The positions of a range.
    #[must_use]
    pub fn range(self, index: &LineIndex, range: TextRange) -> Range {
        Range {
            start: self.position(index, range.start()),
            end: self.position(index, range.end()),
        }
    }

    /// The offset of a position, on a border of characters of `text`; one behind the end of its line counts as that end.
    #[must_use]
    pub fn offset(self, index: &LineIndex, text: &str, position: Position) -> TextSize {
        match self {
            Encoding::Utf16 => index.offset_utf16(position.line, position.character),
            Encoding::Utf8 => {
                let Some(number) = position.line.checked_add(1) else {
                    return TextSize::of(text);
                };
                let line = index.line_range(number);
                let at = u32::from(line.start()).saturating_add(position.character);
                let mut at = at.min(line.end().into()) as usize;
                while at > 0 && !text.is_char_boundary(at) {
                    at -= 1;
                }
                TextSize::new(u32::try_from(at).unwrap_or(u32::MAX))
            }
        }
    }

    /// The range of two positions, in the order of the text.
    #[must_use]
    pub fn text_range(self, index: &LineIndex, text: &str, range: Range) -> TextRange {
        let start = self.offset(index, text, range.start);
        let end = self.offset(index, text, range.end);
        TextRange::new(start.min(end), end.max(start))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn both_encodings_find_back_and_never_split_a_character() {
        let text = "a: é🍵x\r\nb: 茶\n";
        let index = LineIndex::new(text);
        for encoding in [Encoding::Utf8, Encoding::Utf16] {
            for (at, c) in text.char_indices().filter(|(_, c)| !matches!(c, '\n' | '\r')) {
                let offset = TextSize::new(at as u32);
                let position = encoding.position(&index, offset);
                assert_eq!(encoding.offset(&index, text, position), offset, "{encoding:?} {c}");
            }
            for line in 0..5 {
                for character in 0..20 {
                    let at = encoding.offset(&index, text, Position { line, character });
                    assert!(text.is_char_boundary(at.into()), "{encoding:?} {line}:{character}");
                }
            }
        }
    }

    #[test]
    fn utf16_counts_units_and_utf8_bytes() {
        let text = "é🍵x";
        let index = LineIndex::new(text);
        let x = TextSize::new(6);
        assert_eq!(Encoding::Utf16.position(&index, x).character, 3);
        assert_eq!(Encoding::Utf8.position(&index, x).character, 6);
    }

    #[test]
    fn a_place_behind_the_end_is_the_end() {
        let text = "ab\ncd";
        let index = LineIndex::new(text);
        for encoding in [Encoding::Utf8, Encoding::Utf16] {
            let far = |line, character| encoding.offset(&index, text, Position { line, character });
            assert_eq!(far(0, 99), TextSize::new(2));
            assert_eq!(far(9, 0), TextSize::new(5));
            assert_eq!(far(u32::MAX, u32::MAX), TextSize::new(5));
        }
    }
}
