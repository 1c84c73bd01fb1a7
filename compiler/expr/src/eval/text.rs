//! Texts by bytes: the language cuts texts at any byte, a text here is always valid.

use smol_str::SmolStr;

/// A text of some bytes of a text: what is no character becomes one replacement character per byte.
pub(crate) fn from_bytes(bytes: &[u8]) -> SmolStr {
    match std::str::from_utf8(bytes) {
        Ok(text) => SmolStr::new(text),
        Err(_) => lossy(bytes).into(),
    }
}

fn lossy(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len());
    let mut rest = bytes;
    while !rest.is_empty() {
        match std::str::from_utf8(rest) {
            Ok(text) => {
                out.push_str(text);
                break;
            }
            Err(error) => {
                let (valid, bad) = rest.split_at(error.valid_up_to());
                out.push_str(std::str::from_utf8(valid).unwrap_or_default());
                out.push(char::REPLACEMENT_CHARACTER);
                rest = bad.get(1..).unwrap_or_default();
            }
        }
    }
    out
}

/// Capitals, one character for one.
pub(crate) fn upper(text: &str) -> String {
    text.chars().map(upper_char).collect()
}

/// Small letters, one character for one.
pub(crate) fn lower(text: &str) -> String {
    text.chars().map(lower_char).collect()
}

/// The capital of a character; characters whose capital is several characters keep to their one-character form.
pub(crate) fn upper_char(c: char) -> char {
    let mut capital = c.to_uppercase();
    match (capital.next(), capital.next()) {
        (Some(only), None) => only,
        _ => {
            let code = u32::from(c);
            let with_iota = matches!(code, 0x1f80..=0x1f87 | 0x1f90..=0x1f97 | 0x1fa0..=0x1fa7);
            let single = if with_iota {
                code + 8
            } else if matches!(code, 0x1fb3 | 0x1fc3 | 0x1ff3) {
                code + 9
            } else {
                code
            };
            char::from_u32(single).unwrap_or(c)
        }
    }
}

fn lower_char(c: char) -> char {
    c.to_lowercase().next().unwrap_or(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_maps_one_to_one() {
        assert_eq!(upper("straße"), "STRAßE");
        assert_eq!(lower("İΣ"), "iσ");
        assert_eq!(upper("ᾳ"), "ᾼ");
    }

    #[test]
    fn broken_characters_are_marked_byte_by_byte() {
        assert_eq!(from_bytes(&"é".as_bytes()[..1]), "\u{fffd}");
        assert_eq!(from_bytes(b"a\xe2\x82b"), "a\u{fffd}\u{fffd}b");
    }
}
