//! Some lines of a text alone: what was selected, or the line that somebody has just left.

use kitsoki_syntax::{Limits, TextRange, parse_with};

use crate::edits::{Edit, by_line};
use crate::{Why, format, same};

/// The text with those of its lines formatted that a range holds a part of, or begins in. The text is left as it is when it
/// would not mean the same with only these changed: the columns of a part may have to be those of the whole.
///
/// ```
/// let text = "a:   1\nb:   2\n";
/// let second = kitsoki_syntax::TextRange::empty(7.into());
/// assert_eq!(kitsoki_fmt::format_part(text, second).unwrap(), "a:   1\nb: 2\n");
/// ```
///
/// # Errors
/// As [`format()`].
pub fn format_part(text: &str, range: TextRange) -> Result<String, Why> {
    let whole = format(text)?;
    let mut part = text.to_owned();
    let touched = |edit: &Edit| {
        let begins = edit.range.start() <= range.start() && range.start() < edit.range.end();
        begins || edit.range.intersect(range).is_some_and(|both| !both.is_empty())
    };
    for edit in by_line(text, &whole).iter().rev().filter(|e| touched(e)) {
        part.replace_range(std::ops::Range::<usize>::from(edit.range), &edit.text);
    }
    let limits = Limits::default();
    if part == text || same::same(text, &parse_with(text, &limits), &part, &parse_with(&part, &limits)) {
        Ok(part)
    } else {
        Err(Why::Unsure)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    fn part(text: &str, words: &str) -> Result<String, Why> {
        let start = text.find(words).unwrap();
        let size = |n: usize| kitsoki_syntax::TextSize::try_from(n).unwrap();
        format_part(text, TextRange::new(size(start), size(start + words.len())))
    }

    #[test]
    fn only_lines_of_the_range_change() {
        let text = "a:   1\nb:   2\nc:   3\n";
        assert_eq!(part(text, "b:   2").unwrap(), "a:   1\nb: 2\nc:   3\n");
        assert_eq!(part(text, "   2\nc").unwrap(), "a:   1\nb: 2\nc: 3\n");
        // A selection that ends before the first letter of a line does not hold the line.
        assert_eq!(part(text, "b:   2\n").unwrap(), "a:   1\nb: 2\nc:   3\n");
    }

    #[test]
    fn a_part_whose_columns_belong_to_more_is_left() {
        let text = "a:\n      b: 1\n      c: 2\n";
        assert_eq!(format(text).unwrap(), "a:\n  b: 1\n  c: 2\n");
        assert_eq!(part(text, "b: 1"), Err(Why::Unsure));
        assert_eq!(part(text, "b: 1\n      c").unwrap(), "a:\n  b: 1\n  c: 2\n");
    }

    #[test]
    fn a_text_that_cannot_be_read_is_left() {
        assert!(matches!(part("a: {\nb:   2\n", "b:"), Err(Why::Faulty(_))));
    }
}
