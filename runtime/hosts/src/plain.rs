//! Texts of strangers made fit for messages: no control characters, no endless lines.

/// The longest message, in characters.
const MAX_MESSAGE: usize = 8_000;

/// A message without terminal sequences and control characters, cut to what a log can hold.
pub fn message(text: &str) -> String {
    let clean = |c: char| matches!(c, '\n' | '\t') || !(c.is_control() || is_direction(c));
    if text.chars().all(clean) && text.len() <= MAX_MESSAGE {
        return text.to_owned();
    }
    let stripped = without_sequences(text);
    let mut out: String = stripped.chars().filter(|c| clean(*c)).take(MAX_MESSAGE).collect();
    if stripped.chars().filter(|c| clean(*c)).nth(MAX_MESSAGE).is_some() {
        out.push_str(" …");
    }
    out
}

/// Characters that turn the direction of the text after them.
fn is_direction(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The text without escape sequences: `ESC [ … letter`, `ESC ] … BEL`, `ESC x`.
pub fn without_sequences(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(c) = letters.next() {
        if c != '\u{1b}' {
            out.push(c);
            continue;
        }
        match letters.next() {
            Some('[') => {
                for c in letters.by_ref() {
                    if ('\u{40}'..='\u{7e}').contains(&c) {
                        break;
                    }
                }
            }
            Some(']' | 'P' | '^' | '_' | 'X') => {
                while let Some(c) = letters.next() {
                    if c == '\u{7}' || c == '\u{1b}' && letters.next_if_eq(&'\\').is_some() {
                        break;
                    }
                }
            }
            _ => {}
        }
    }
    out
}

/// Bytes as text; what is no UTF-8 is replaced.
pub fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned())
}

/// A text in quotes as messages show it.
pub fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if c.is_control() || is_direction(c) => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequences_and_control_characters_go() {
        assert_eq!(message("a\u{1b}[31mred\u{1b}[0m b\u{7}"), "ared b");
        assert_eq!(message("x\u{1b}]0;title\u{7}y\u{1b}]8;;l\u{1b}\\z"), "xyz");
        assert_eq!(message("line\n\tnext"), "line\n\tnext");
        assert_eq!(message("a\u{202e}b"), "ab");
    }

    #[test]
    fn a_message_ends_somewhere() {
        assert_eq!(message(&"x".repeat(9_000)).chars().count(), MAX_MESSAGE + 2);
    }
}
