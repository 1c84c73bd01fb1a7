//! Word wrap at a column (language 12.4 of the expression chapter): the `wordwrap` filter and the elements of views use it.

/// Wraps a text at `limit` columns. Words at least as long as the limit are not broken, a break may follow a hyphen, and a limit of 0
/// changes nothing. Escape sequences of terminals have no width.
#[must_use]
pub fn wrap(text: &str, limit: usize) -> String {
    if limit == 0 {
        return text.to_owned();
    }
    let mut state = State {
        out: String::with_capacity(text.len() + 16),
        ..State::default()
    };
    for c in text.chars() {
        state.push(c, limit);
    }
    state.flush_word();
    state.out
}

/// Columns of a text: wide characters count two, marks and controls none.
#[must_use]
pub fn columns(text: &str) -> usize {
    text.chars().map(char_width).sum()
}

#[derive(Default)]
struct State {
    out: String,
    space: String,
    word: String,
    word_width: usize,
    line: usize,
    /// Inside an escape sequence.
    escape: bool,
}

impl State {
    fn push(&mut self, c: char, limit: usize) {
        if c == '\u{1b}' {
            self.word.push(c);
            self.escape = true;
        } else if self.escape {
            self.word.push(c);
            self.escape = !c.is_ascii_alphabetic() && c != '@';
        } else if c == '\n' {
            if self.word.is_empty() {
                if self.line + self.space.len() <= limit {
                    self.out.push_str(&self.space);
                }
                self.space.clear();
            }
            self.flush_word();
            self.new_line();
        } else if c.is_whitespace() {
            self.flush_word();
            self.space.push(c);
        } else if c == '-' {
            self.flush_space();
            self.flush_word();
            self.out.push(c);
        } else {
            self.word.push(c);
            self.word_width += char_width(c);
            if self.line + self.space.len() + self.word_width > limit && self.word_width < limit {
                self.new_line();
            }
        }
    }

    fn flush_space(&mut self) {
        self.line += self.space.len();
        self.out.push_str(&self.space);
        self.space.clear();
    }

    fn flush_word(&mut self) {
        if !self.word.is_empty() {
            self.flush_space();
            self.line += self.word_width;
            self.out.push_str(&self.word);
            self.word.clear();
            self.word_width = 0;
        }
    }

    fn new_line(&mut self) {
        self.out.push('\n');
        self.line = 0;
        self.space.clear();
    }
}

/// Columns of one character.
#[must_use]
pub fn char_width(c: char) -> usize {
    let code = u32::from(c);
    match code {
        0x20..=0x7e => 1,
        0..=0x1f | 0x7f..=0x9f => 0,
        0xad => 0,
        0x300..=0x36f | 0x483..=0x489 | 0x591..=0x5bd | 0x610..=0x61a | 0x64b..=0x65f => 0,
        0x1ab0..=0x1aff | 0x1dc0..=0x1dff | 0x200b..=0x200f | 0x2028..=0x202e | 0x2060..=0x206f => 0,
        0x20d0..=0x20ff | 0xfe00..=0xfe0f | 0xfe20..=0xfe2f | 0xfeff | 0xe0100..=0xe01ef => 0,
        0x1100..=0x115f | 0x231a..=0x231b | 0x2329..=0x232a | 0x23e9..=0x23ec | 0x23f0 | 0x23f3 => 2,
        0x25fd..=0x25fe | 0x2614..=0x2615 | 0x2648..=0x2653 | 0x267f | 0x2693 | 0x26a1 | 0x26aa..=0x26ab => 2,
        0x26bd..=0x26be | 0x26c4..=0x26c5 | 0x26ce | 0x26d4 | 0x26ea | 0x26f2..=0x26f3 | 0x26f5 | 0x26fa | 0x26fd => 2,
        0x2705 | 0x270a..=0x270b | 0x2728 | 0x274c | 0x274e | 0x2753..=0x2755 | 0x2757 | 0x2795..=0x2797 => 2,
        0x27b0 | 0x27bf | 0x2b1b..=0x2b1c | 0x2b50 | 0x2b55 => 2,
        0x2e80..=0x303e | 0x3041..=0x33ff | 0x3400..=0x4dbf | 0x4e00..=0x9fff | 0xa000..=0xa4cf | 0xa960..=0xa97f => 2,
        0xac00..=0xd7a3 | 0xf900..=0xfaff | 0xfe10..=0xfe19 | 0xfe30..=0xfe6f | 0xff01..=0xff60 | 0xffe0..=0xffe6 => 2,
        0x16fe0..=0x18aff | 0x1b000..=0x1b2ff | 0x1f004 | 0x1f0cf | 0x1f18e | 0x1f191..=0x1f19a | 0x1f200..=0x1f320 => {
            2
        }
        0x1f32d..=0x1f335 | 0x1f337..=0x1f37c | 0x1f37e..=0x1f393 | 0x1f3a0..=0x1f3ca | 0x1f3cf..=0x1f3d3 => 2,
        0x1f3e0..=0x1f3f0 | 0x1f3f4 | 0x1f3f8..=0x1f43e | 0x1f440 | 0x1f442..=0x1f4fc | 0x1f4ff..=0x1f53d => 2,
        0x1f54b..=0x1f54e | 0x1f550..=0x1f567 | 0x1f57a | 0x1f595..=0x1f596 | 0x1f5a4 | 0x1f5fb..=0x1f64f => 2,
        0x1f680..=0x1f6c5 | 0x1f6cc | 0x1f6d0..=0x1f6d2 | 0x1f6d5..=0x1f6d7 | 0x1f6eb..=0x1f6ec | 0x1f6f4..=0x1f6fc => {
            2
        }
        0x1f7e0..=0x1f7eb | 0x1f90c..=0x1f93a | 0x1f93c..=0x1f945 | 0x1f947..=0x1f9ff | 0x1fa70..=0x1faff => 2,
        0x20000..=0x3fffd => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn breaks_at_words_and_after_hyphens() {
        assert_eq!(wrap("one two three four", 10), "one two\nthree four");
        assert_eq!(wrap("tea-house menu", 8), "tea-house\nmenu");
        assert_eq!(wrap("abcdefghij kl", 5), "abcdefghij\nkl");
    }

    #[test]
    fn keeps_what_fits() {
        assert_eq!(wrap("  a", 20), "  a");
        assert_eq!(wrap("a    b  ", 20), "a    b");
        assert_eq!(wrap("a\nb", 20), "a\nb");
    }

    #[test]
    fn wide_characters_take_two_columns() {
        assert_eq!(columns("茶a\u{301}"), 3);
        assert_eq!(wrap("茶茶 茶茶", 5), "茶茶\n茶茶");
    }
}
