//! Words: what a text is made of for every tier that does not take it as a whole (`dispatch` 5.3).
//!
//! A text is normalised (NFKC, lower case), cut at word boundaries (UAX #29), and every piece with a letter or digit in it
//! becomes a [`Token`]. Nothing here knows stories: the stop words that a story adds are handed in.

mod numerals;
mod signature;
mod stop;

use rust_stemmers::{Algorithm, Stemmer};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;
use unicode_normalization::UnicodeNormalization as _;
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory as _};
use unicode_segmentation::UnicodeSegmentation as _;

pub use numerals::{Spelled, spelled};

/// The longest word that is stemmed, in bytes: the stemmer's time is not linear in the length of one word.
const MAX_STEMMED: usize = 4096;

/// One word of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Token {
    /// The word, normalised and in lower case.
    pub surface: SmolStr,
    /// What it is compared by: the stem of a word of letters, else the surface.
    pub norm: SmolStr,
    /// It carries no meaning of its own (`the`, `please`).
    pub stop: bool,
    /// Digits, perhaps with a decimal point, or one spelled number.
    pub number: bool,
}

impl Token {
    /// The value of a word of ASCII digits that fits 64 bits.
    #[must_use]
    pub fn digits(&self) -> Option<i64> {
        let all = !self.surface.is_empty() && self.surface.bytes().all(|b| b.is_ascii_digit());
        all.then(|| self.surface.parse().ok()).flatten()
    }

    /// Whether it is made of ASCII letters.
    #[must_use]
    pub fn is_plain_word(&self) -> bool {
        !self.surface.is_empty() && self.surface.bytes().all(|b| b.is_ascii_alphabetic())
    }
}

/// Cuts texts into words, with the stop words of one story.
#[derive(Clone, Debug, Default)]
pub struct Lexer {
    extra: FxHashSet<SmolStr>,
}

impl Lexer {
    /// A lexer with the built-in stop words and these. An entry is compared as it is written: one with a capital letter
    /// never matches.
    #[must_use]
    pub fn new(extra: &[SmolStr]) -> Self {
        Self {
            extra: extra.iter().cloned().collect(),
        }
    }

    /// The words of a text, in order.
    #[must_use]
    pub fn tokens(&self, text: &str) -> Vec<Token> {
        let stemmer = Stemmer::create(Algorithm::English);
        let text: String = text.nfkc().collect();
        let text = text.to_lowercase();
        text.split_word_bounds()
            .filter(|piece| piece.chars().any(|c| is_letter(c) || is_digit(c)))
            .map(|piece| self.token(piece, &stemmer))
            .collect()
    }

    fn token(&self, surface: &str, stemmer: &Stemmer) -> Token {
        let letters = surface.len() <= MAX_STEMMED && surface.chars().all(is_letter);
        let norm = if letters {
            SmolStr::from(stemmer.stem(surface))
        } else {
            SmolStr::from(surface)
        };
        // Stemming changes some of the listed words, so both forms are looked up.
        let stop = [norm.as_str(), surface]
            .into_iter()
            .any(|form| stop::WORDS.contains(&form) || self.extra.contains(form));
        Token {
            number: is_decimal(surface) || spelled([surface]).is_some_and(|s| s.words == 1),
            surface: SmolStr::from(surface),
            norm,
            stop,
        }
    }

    /// The distinct norms of the words that are no stop words, in order of appearance.
    #[must_use]
    pub fn stems(&self, text: &str) -> Vec<SmolStr> {
        content(&self.tokens(text))
    }

    /// What the turn cache knows a text by: sixteen hexadecimal digits, or nothing for a text without content.
    #[must_use]
    pub fn signature(&self, text: &str) -> String {
        signature::of(&self.tokens(text))
    }
}

/// The distinct norms of the tokens that are no stop words, in order of appearance.
#[must_use]
pub fn content(tokens: &[Token]) -> Vec<SmolStr> {
    let mut seen = FxHashSet::default();
    tokens
        .iter()
        .filter(|t| !t.stop && seen.insert(t.norm.as_str()))
        .map(|t| t.norm.clone())
        .collect()
}

/// `12`, `3.14`.
fn is_decimal(text: &str) -> bool {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    match text.split_once('.') {
        Some((whole, fraction)) => digits(whole) && digits(fraction),
        None => digits(text),
    }
}

/// A letter by its general category. The property Alphabetic is wider: it has the vowel signs of Indic scripts in it.
fn is_letter(c: char) -> bool {
    c.is_ascii_alphabetic() || (!c.is_ascii() && c.general_category_group() == GeneralCategoryGroup::Letter)
}

/// A decimal digit of any script.
fn is_digit(c: char) -> bool {
    c.is_ascii_digit() || (!c.is_ascii() && c.general_category() == GeneralCategory::DecimalNumber)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn norms(text: &str) -> Vec<String> {
        let tokens = Lexer::default().tokens(text);
        tokens.iter().map(|t| t.norm.to_string()).collect()
    }

    #[test]
    fn words_are_stemmed_and_numbers_are_kept() {
        assert_eq!(norms("Buying 3 oxen, please!"), ["buy", "3", "oxen", "pleas"]);
        assert_eq!(norms("200lbs 3.14 don't"), ["200lbs", "3.14", "don't"]);
    }

    #[test]
    fn full_width_text_is_the_same_as_plain_text() {
        assert_eq!(norms("ＢＵＹ ３"), ["buy", "3"]);
    }

    #[test]
    fn signs_and_pictures_are_no_words() {
        assert!(norms("$ . - … 🐂").is_empty());
        assert_eq!(norms("$90"), ["90"]);
    }

    #[test]
    fn extra_stop_words_match_stem_or_surface_as_written() {
        let lexer = Lexer::new(&["wagons".into(), "Big".into()]);
        let stops: Vec<bool> = lexer.tokens("wagons wagon big").iter().map(|t| t.stop).collect();
        assert_eq!(stops, [true, false, false]);
    }

    #[test]
    fn a_very_long_word_is_kept_as_it_is() {
        let word = "y".repeat(100_000);
        assert_eq!(norms(&word), [word]);
    }
}
