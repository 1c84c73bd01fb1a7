//! The signature of a text: what its content words are, whatever their order, number and inflection.

use std::borrow::Cow;

use super::{Token, spelled};

/// The first eight bytes of the SHA-1 of the sorted content; empty without content.
pub(super) fn of(tokens: &[Token]) -> String {
    let mut content: Vec<Cow<'_, str>> = tokens.iter().filter(|t| !t.stop).map(key).collect();
    if content.is_empty() {
        return String::new();
    }
    content.sort_unstable();
    content.dedup();
    let digest = sha1_smol::Sha1::from(content.join(" ")).digest().to_string();
    digest.get(..16).unwrap_or_default().to_owned()
}

/// The norm of a word, or the digits of a spelled number: `six` and `6` are the same content.
fn key(token: &Token) -> Cow<'_, str> {
    let one = |word: &str| spelled([word]).map(|s| s.value.to_string());
    one(&token.surface)
        .or_else(|| one(&token.norm))
        .map_or(Cow::Borrowed(token.norm.as_str()), Cow::Owned)
}

#[cfg(test)]
mod tests {
    use crate::lex::Lexer;

    fn signature(text: &str) -> String {
        Lexer::default().signature(text)
    }

    #[test]
    fn order_case_repetition_and_inflection_do_not_matter() {
        let one = signature("Buy three oxen, please");
        assert_eq!(one.len(), 16);
        for same in ["please BUY the oxen 3", "buying oxen oxen 3", "3 oxen: buys"] {
            assert_eq!(signature(same), one, "{same}");
        }
        assert_ne!(signature("buy four oxen"), one);
    }

    #[test]
    fn a_text_without_content_has_none() {
        for text in ["", "  ", "do it", "that, please!"] {
            assert_eq!(signature(text), "");
        }
    }

    #[test]
    fn the_digest_is_the_known_one() {
        assert_eq!(signature("7"), "902ba3cda1883801");
    }
}
