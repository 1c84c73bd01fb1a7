//! Whether a text is a template at all: most texts of a story are not, and every text is asked.

/// Whether a text has `{{`.
#[must_use]
pub fn has_braces(text: &str) -> bool {
    opens(text, |second| second == b'{')
}

/// Whether a text has `{%`.
#[must_use]
pub fn has_tag(text: &str) -> bool {
    opens(text, |second| second == b'%')
}

/// Whether a text has `{{` or `{%`.
#[must_use]
pub fn has_delimiters(text: &str) -> bool {
    opens(text, |second| matches!(second, b'{' | b'%'))
}

/// The next `{{` or `{%` at or behind an offset.
#[must_use]
pub fn next_delimiter(text: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes().get(from..)?;
    memchr::memchr_iter(b'{', bytes)
        .find(|at| matches!(bytes.get(at + 1), Some(b'{' | b'%')))
        .map(|at| from + at)
}

fn opens(text: &str, second: impl Fn(u8) -> bool) -> bool {
    let bytes = text.as_bytes();
    memchr::memchr_iter(b'{', bytes).any(|at| bytes.get(at + 1).is_some_and(|byte| second(*byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_brace_alone_opens_nothing() {
        for text in ["", "{", "a { b", "{ {", "a{", "{é"] {
            assert!(!has_delimiters(text), "{text}");
            assert_eq!(next_delimiter(text, 0), None);
        }
        assert!(has_braces("{ {{") && !has_tag("{ {{") && has_delimiters("{ {{"));
        assert!(has_tag("a {% b") && !has_braces("a {% b") && has_delimiters("a {% b"));
        assert!(has_braces("{{{"));
    }

    #[test]
    fn the_next_one_is_at_or_behind_the_offset() {
        assert_eq!(next_delimiter("{{ a }} {% b", 0), Some(0));
        assert_eq!(next_delimiter("{{ a }} {% b", 2), Some(8));
        assert_eq!(next_delimiter("{{", 9), None);
    }
}
