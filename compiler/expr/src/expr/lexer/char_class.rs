//! Which characters names are made of: letters and decimal digits of any script, `_` and `$`.

use std::sync::LazyLock;

use regex::Regex;

/// `None` only if the pattern were refused, which a test rules out.
static NAME: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"^[\p{L}\p{Nd}]$").ok());

/// True for a character that may stand in a name.
pub(crate) fn is_name_char(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric() || c == '_' || c == '$';
    }
    // The standard library's `is_alphabetic` also admits marks and letter numbers, so it only rules out.
    if !c.is_alphanumeric() {
        return false;
    }
    let mut buffer = [0; 4];
    NAME.as_ref()
        .is_some_and(|name| name.is_match(c.encode_utf8(&mut buffer)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_and_digits_of_any_script() {
        assert!(NAME.is_some());
        for c in ['é', 'ß', '日', '٣', 'ж'] {
            assert!(is_name_char(c), "{c}");
        }
        for c in ['Ⅷ', '²', '\u{345}', '–', '😀'] {
            assert!(!is_name_char(c), "{c}");
        }
    }
}
