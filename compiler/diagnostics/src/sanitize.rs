//! Places and texts made safe before any renderer sees them.
//!
//! Stories come from strangers: a file name, a key or a source line may hold terminal escapes or characters that turn the
//! reading order around. They are made visible here, once, for every renderer.

use kitsoki_syntax::{TextRange, TextSize};

/// A character that must not reach a terminal as it is, made visible; line feed and tab stay.
#[must_use]
pub fn visible_char(c: char) -> char {
    match c {
        '\n' | '\t' => c,
        '\u{0}'..='\u{1f}' => char::from_u32(0x2400 + u32::from(c)).unwrap_or('\u{fffd}'),
        '\u{7f}' => '\u{2421}',
        '\u{80}'..='\u{9f}' => '\u{fffd}',
        // Bidirectional controls turn what a reader sees into something else than what is there.
        '\u{61c}'
        | '\u{200e}'
        | '\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}'
        | '\u{2028}'
        | '\u{2029}' => '\u{fffd}',
        _ => c,
    }
}

/// A text with every control character visible; line feeds and tabs stay.
#[must_use]
pub fn visible(text: &str) -> String {
    text.chars().map(visible_char).collect()
}

/// A text on one line: line feeds and tabs are made visible, too.
#[must_use]
pub fn one_line(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '\n' => '\u{2424}',
            '\t' => '\u{2409}',
            _ => visible_char(c),
        })
        .collect()
}

/// A range inside of `text`, on character boundaries.
#[must_use]
pub fn clamp(text: &str, range: TextRange) -> TextRange {
    let len = text.len();
    let mut start = usize::from(range.start()).min(len);
    let mut end = usize::from(range.end()).min(len).max(start);
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    while !text.is_char_boundary(end) {
        end += 1;
    }
    let size = |n: usize| TextSize::new(u32::try_from(n).unwrap_or(u32::MAX));
    TextRange::new(size(start), size(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_range_becomes_one_of_the_text() {
        let text = "aé\u{1f600}";
        for start in 0..12u32 {
            for end in start..12u32 {
                let range = clamp(text, TextRange::new(start.into(), end.into()));
                assert!(
                    text.get(std::ops::Range::<usize>::from(range)).is_some(),
                    "{start}..{end} -> {range:?}"
                );
            }
        }
    }

    #[test]
    fn escapes_and_direction_marks_are_visible() {
        assert_eq!(
            visible("\u{1b}[2J\r\n\u{202e}x\u{9b}"),
            "\u{241b}[2J\u{240d}\n\u{fffd}x\u{fffd}"
        );
        assert_eq!(one_line("a\nb\tc"), "a\u{2424}b\u{2409}c");
    }
}
