//! What kind of character something is, and its case. Mappings that would change the number of characters are not made.

use std::sync::OnceLock;

use regex::Regex;

use crate::fault::Res;
use crate::interp::iterate::first_char;
use crate::interp::meter;

fn matches(cell: &'static OnceLock<Option<Regex>>, pattern: &str, c: char) -> bool {
    let regex = cell.get_or_init(|| Regex::new(pattern).ok());
    regex.as_ref().is_some_and(|r| r.is_match(c.encode_utf8(&mut [0; 4])))
}

pub(super) fn is_letter(c: char) -> bool {
    static LETTER: OnceLock<Option<Regex>> = OnceLock::new();
    if c.is_ascii() {
        c.is_ascii_alphabetic()
    } else {
        matches(&LETTER, r"^\p{L}$", c)
    }
}

pub(super) fn is_digit(c: char) -> bool {
    static DIGIT: OnceLock<Option<Regex>> = OnceLock::new();
    if c.is_ascii() {
        c.is_ascii_digit()
    } else {
        matches(&DIGIT, r"^\p{Nd}$", c)
    }
}

pub(super) fn is_title(c: char) -> bool {
    static TITLE: OnceLock<Option<Regex>> = OnceLock::new();
    !c.is_ascii() && matches(&TITLE, r"^\p{Lt}$", c)
}

pub(super) fn is_space(c: char) -> bool {
    c.is_whitespace()
}

/// Whether the character has a case.
pub(super) fn is_cased(c: char) -> bool {
    c.is_ascii_alphabetic() || !c.is_ascii() && (upper(c) != c || lower(c) != c)
}

pub(super) fn upper(c: char) -> char {
    let mut mapped = c.to_uppercase();
    match (mapped.next(), mapped.next()) {
        (Some(one), None) => one,
        _ => c,
    }
}

/// The form that begins a word: that of the capital letter, but for the letters that are two in one.
pub(super) fn title(c: char) -> char {
    match c {
        '\u{1c4}'..='\u{1c6}' => '\u{1c5}',
        '\u{1c7}'..='\u{1c9}' => '\u{1c8}',
        '\u{1ca}'..='\u{1cc}' => '\u{1cb}',
        '\u{1f1}'..='\u{1f3}' => '\u{1f2}',
        _ => upper(c),
    }
}

pub(super) fn lower(c: char) -> char {
    let mut mapped = c.to_lowercase();
    match (mapped.next(), mapped.next()) {
        (Some(one), None) => one,
        // The dotted capital I has a lower form of two characters; the first one is its own.
        (Some(one), Some(_)) if c == '\u{130}' => one,
        _ => c,
    }
}

/// The characters of bytes and how many bytes each takes; what is no UTF-8 reads as replacement characters.
pub(super) fn chars(bytes: &[u8]) -> impl Iterator<Item = (usize, char, usize)> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = bytes.get(at..).filter(|rest| !rest.is_empty())?;
        let (c, width) = first_char(rest);
        let start = at;
        at += width;
        Some((start, c, width))
    })
}

/// A test of one character costs this much work; those of letters and digits beyond ASCII cost most.
const TEST: u64 = 32;

/// The bytes with every character mapped.
pub(super) fn map(bytes: &[u8], mut f: impl FnMut(char) -> char) -> Res<Vec<u8>> {
    let mut out = Vec::with_capacity(bytes.len());
    for (_, c, _) in chars(bytes) {
        meter::work(TEST)?;
        out.extend_from_slice(f(c).encode_utf8(&mut [0; 4]).as_bytes());
    }
    Ok(out)
}

/// Whether every character passes.
pub(super) fn all(bytes: &[u8], test: impl Fn(char) -> bool) -> Res<bool> {
    for (_, c, _) in chars(bytes) {
        meter::work(TEST)?;
        if !test(c) {
            return Ok(false);
        }
    }
    Ok(true)
}
