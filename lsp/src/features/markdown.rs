//! Texts of authors in hovers: shown as they are, never as markup.

use kitsoki_diagnostics::sanitize;

/// The longest text of an author that is shown, in characters.
const LONGEST: usize = 400;

/// A text of an author as plain words of a paragraph: on one line, shortened, with every sign of markup escaped.
#[must_use]
pub fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for (n, c) in sanitize::one_line(&words).chars().enumerate() {
        if n == LONGEST {
            out.push('…');
            break;
        }
        match c {
            // An entity is a reference to a character, also inside of escaped text.
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            c if c.is_ascii_punctuation() && !matches!(c, ',' | ';' | '\'' | '"' | '?' | '/' | '%' | ':') => {
                out.push('\\');
                out.push(c);
            }
            // `https://…` and `www.…` become links without any markup.
            ':' => out.push_str("&#58;"),
            c => out.push(c),
        }
    }
    out
}

/// A name or value of an author as code: one line, shortened, in backticks that it cannot close.
#[must_use]
pub fn code(text: &str) -> String {
    let line: String = sanitize::one_line(text).chars().take(LONGEST).collect();
    if line.trim().is_empty() {
        return "(empty)".to_owned();
    }
    let longest = line.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    // A space inside keeps backticks at the ends apart from the fence; renderers drop it.
    if line.starts_with('`') || line.ends_with('`') {
        format!("{fence} {line} {fence}")
    } else {
        format!("{fence}{line}{fence}")
    }
}

/// Several lines as a block of code that cannot be closed from inside.
#[must_use]
pub fn block(language: &str, text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}{language}\n{}\n{fence}", sanitize::visible(text).trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_of_an_author_stays_text() {
        for text in [
            "![x](http://evil/a.png)",
            "[click](command:run)",
            "<img src=x>",
            "**bold** _it_ ~~no~~ `code`",
            "# heading",
            "https://evil.example",
            "&lt;b&gt;",
        ] {
            let shown = plain(text);
            assert!(!shown.contains("]("), "{shown}");
            assert!(!shown.contains('<'), "{shown}");
            assert!(!shown.contains("://"), "{shown}");
            let bare = shown.char_indices().any(|(at, c)| {
                matches!(c, '*' | '`' | '#' | '[' | '!' | '_')
                    && !shown[..at].ends_with('\\')
                    && !shown[at..].starts_with("#58")
            });
            assert!(!bare, "{shown}");
        }
    }

    #[test]
    fn code_cannot_be_closed_from_inside() {
        assert_eq!(code("a"), "`a`");
        assert_eq!(code("a`b"), "``a`b``");
        assert_eq!(code("`a```"), "```` `a``` ````");
        assert_eq!(code("a\nb"), "`a␤b`");
        assert_eq!(block("", "x\n```\ny"), "````\nx\n```\ny\n````");
    }
}
