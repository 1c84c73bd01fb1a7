//! Whole texts compared without regard to case and blanks: menu labels, exact phrases, consents.
//!
//! Case is changed character by character, so that a text never changes its length in characters (`ß` is not `ss`).

/// Lower case, character by character.
#[must_use]
pub fn lower(text: &str) -> String {
    text.chars().map(lower_char).collect()
}

/// Trimmed and in lower case; blanks inside stay.
#[must_use]
pub fn label(text: &str) -> String {
    lower(text.trim())
}

/// Trimmed, in lower case, with single blanks.
#[must_use]
pub fn phrase(text: &str) -> String {
    lower(&collapse(text))
}

/// Trimmed, with single blanks, in the form in which texts that differ in case alone are equal.
#[must_use]
pub fn exact(text: &str) -> String {
    collapse(text).chars().map(fold_char).collect()
}

fn collapse(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

fn lower_char(c: char) -> char {
    if c == 'İ' {
        return 'i';
    }
    single(c.to_lowercase()).unwrap_or(c)
}

/// One representative of the characters that differ in case alone. `ı` is no form of `i`.
fn fold_char(c: char) -> char {
    if c == 'ı' {
        return c;
    }
    let upper = single(c.to_uppercase()).unwrap_or(c);
    single(upper.to_lowercase()).unwrap_or(upper)
}

fn single(mut chars: impl Iterator<Item = char>) -> Option<char> {
    let first = chars.next()?;
    chars.next().is_none().then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_keep_their_blanks_inside() {
        assert_eq!(label("\u{a0}Buy  Oxen\u{3000}"), "buy  oxen");
    }

    #[test]
    fn phrases_have_single_blanks() {
        assert_eq!(phrase(" Go\t AHEAD\n"), "go ahead");
    }

    #[test]
    fn exact_texts_differ_in_case_and_blanks_alone() {
        assert_eq!(exact("ſet  OFF"), exact("SET off"));
        assert_eq!(exact("ΣΑΣ"), exact("σας"));
        assert_ne!(exact("straße"), exact("strasse"));
        assert_ne!(exact("ılk"), exact("ilk"));
    }
}
