//! Bytes to text: UTF-8 only, with the exact place of the first byte that is none.
//!
//! A byte order mark stays part of the text, so that every offset is one of the file.

use crate::fault::{Fault, FaultKind};
use crate::span::range;

/// The bytes of a file as text.
///
/// # Errors
///
/// A fault at the first byte that is no UTF-8; UTF-16 and UTF-32 are recognised and get their own message.
#[expect(
    clippy::result_large_err,
    reason = "once per file, and the callers keep the fault as it is"
)]
pub fn decode_utf8(bytes: &[u8]) -> Result<&str, Fault> {
    match std::str::from_utf8(bytes) {
        Ok(text) if !is_wide(bytes) => Ok(text),
        Ok(_) => Err(wide(bytes, "UTF-16")),
        Err(error) => Err(fault_at(bytes, error.valid_up_to(), error.error_len().unwrap_or(1))),
    }
}

fn fault_at(bytes: &[u8], at: usize, len: usize) -> Fault {
    match bytes {
        [0xFF, 0xFE, 0, 0, ..] | [0, 0, 0xFE, 0xFF, ..] => return wide(bytes, "UTF-32"),
        [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] => return wide(bytes, "UTF-16"),
        _ if is_wide(bytes) => return wide(bytes, "UTF-16"),
        _ => {}
    }
    let byte = bytes.get(at).copied().unwrap_or_default();
    Fault::error(
        FaultKind::NotUtf8,
        range(at, at + len),
        format!("the file is not UTF-8: byte 0x{byte:02X} at offset {at} starts no character"),
        "the first byte that is no text",
    )
    .help("save the file as UTF-8")
}

fn wide(bytes: &[u8], name: &str) -> Fault {
    let mark = if matches!(bytes, [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..]) {
        2
    } else {
        bytes.len().min(4)
    };
    Fault::error(
        FaultKind::NotUtf8,
        range(0, mark),
        format!("the file is {name}, stories are UTF-8"),
        format!("{name} starts here"),
    )
    .help("save the file as UTF-8")
}

/// Text in a two-byte encoding without a mark: every other byte of its start is zero.
fn is_wide(bytes: &[u8]) -> bool {
    let head = bytes.get(..bytes.len().min(16)).unwrap_or_default();
    let zeros = |odd: usize| head.iter().skip(odd).step_by(2).filter(|b| **b == 0).count();
    let half = head.len() / 2;
    half >= 4 && ((zeros(0) == half && zeros(1) == 0) || (zeros(1) == half && zeros(0) == 0))
}

#[cfg(test)]
mod tests {
    use super::decode_utf8;
    use crate::FaultKind;

    #[test]
    fn the_first_bad_byte_is_named() {
        let fault = decode_utf8(b"a: \xC3\xA9\xFFb").unwrap_err();
        assert_eq!(fault.kind, FaultKind::NotUtf8);
        assert_eq!(fault.range, crate::span::range(5, 6));
        assert!(fault.message.contains("0xFF at offset 5"), "{}", fault.message);
    }

    #[test]
    fn a_cut_off_character_is_named_at_its_first_byte() {
        assert_eq!(decode_utf8(b"ab\xE2\x80").unwrap_err().range, crate::span::range(2, 3));
    }

    #[test]
    fn wide_encodings_have_their_own_message() {
        for bytes in [&b"\xFF\xFEa\0:\0"[..], b"\xFE\xFF\0a\0:", b"a\0p\0p\0:\0 \0{\0}\0\n\0"] {
            assert!(decode_utf8(bytes).unwrap_err().message.contains("UTF-16"), "{bytes:?}");
        }
        assert!(
            decode_utf8(b"\xFF\xFE\0\0a\0\0\0")
                .unwrap_err()
                .message
                .contains("UTF-32")
        );
    }

    #[test]
    fn a_byte_order_mark_is_text() {
        assert_eq!(decode_utf8(b"\xEF\xBB\xBFa: 1").unwrap(), "\u{FEFF}a: 1");
    }
}
