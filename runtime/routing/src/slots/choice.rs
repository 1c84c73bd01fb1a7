//! `enum`: one of the declared values, by its words, by a phrase for it, or with one letter wrong.
//!
//! The first of these three ways that finds any value decides; several values are no answer.

use kitsoki_expr::Value;
use kitsoki_ir::Slot;
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use super::Found;
use crate::lex::{Lexer, Token};

/// The values of a slot, in words.
#[derive(Clone, Debug)]
pub struct Choice {
    values: Vec<Entry>,
}

/// One value.
#[derive(Clone, Debug)]
struct Entry {
    value: SmolStr,
    stems: Vec<SmolStr>,
    phrases: Vec<Vec<SmolStr>>,
}

impl Choice {
    pub(super) fn new(slot: &Slot) -> Self {
        // Values are cut into words without the stop words that the story adds.
        let lexer = Lexer::default();
        let mut seen = FxHashSet::default();
        let values = slot.values.iter().filter(|v| seen.insert(v.as_str()));
        let values = values.map(|value| Entry {
            value: value.clone(),
            stems: lexer.stems(value),
            phrases: slot
                .synonyms
                .iter()
                .filter(|(of, _)| of == value)
                .flat_map(|(_, phrases)| phrases)
                .map(|phrase| lexer.stems(phrase))
                .collect(),
        });
        Self {
            values: values.collect(),
        }
    }

    pub(super) fn parse(&self, words: &[Token]) -> Option<Found> {
        let direct = self.values.iter().map(|v| (v, all_of(words, &v.stems)));
        let phrase = self
            .values
            .iter()
            .map(|v| (v, v.phrases.iter().find_map(|stems| all_of(words, stems))));
        let typo = self.values.iter().map(|v| match v.stems.as_slice() {
            [stem] => (v, nearly(words, stem)),
            _ => (v, None),
        });
        [only(direct), only(phrase), only(typo)]
            .into_iter()
            .find_map(|way| way)?
    }
}

/// The words from the first to the last that were used.
type Place = (usize, usize);

/// What one way says: nothing, or the only value it found, which is none when it found several.
fn only<'a>(found: impl Iterator<Item = (&'a Entry, Option<Place>)>) -> Option<Option<Found>> {
    let mut hits = found.filter_map(|(option, place)| Some((option, place?)));
    let (option, (start, end)) = hits.next()?;
    let found = Found {
        value: Value::Str(option.value.clone()),
        start,
        end,
    };
    Some(hits.next().is_none().then_some(found))
}

/// Where all stems stand, when they do.
fn all_of(words: &[Token], stems: &[SmolStr]) -> Option<Place> {
    let at = |stem: &SmolStr| words.iter().position(|w| !w.stop && w.norm == *stem);
    span(stems.iter().map(at))
}

/// The span of places that are all there; `None` without any.
fn span(places: impl Iterator<Item = Option<usize>>) -> Option<Place> {
    let mut span: Option<Place> = None;
    for place in places {
        let place = place?;
        let (start, end) = span.unwrap_or((place, place + 1));
        span = Some((start.min(place), end.max(place + 1)));
    }
    span
}

/// Where words stand that differ from a stem by one letter.
fn nearly(words: &[Token], stem: &str) -> Option<Place> {
    let hits = words
        .iter()
        .enumerate()
        .filter(|(_, w)| !w.stop && one_off(&w.norm, stem));
    span(hits.map(|(at, _)| Some(at)))
}

/// Whether one character more, less or other makes one word the other.
fn one_off(a: &str, b: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > 1 || a == b {
        return false;
    }
    let (short, long) = if a.len() <= b.len() { (&a, &b) } else { (&b, &a) };
    let head = short.iter().zip(long.iter()).take_while(|(x, y)| x == y).count();
    let tail = short
        .iter()
        .rev()
        .zip(long.iter().rev())
        .take_while(|(x, y)| x == y)
        .count();
    if short.len() == long.len() {
        head + tail + 1 >= long.len()
    } else {
        head + tail >= short.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slot() -> Slot {
        Slot {
            ty: "enum".into(),
            values: ["red", "blue", "lord of the rings", "the"].map(SmolStr::from).to_vec(),
            synonyms: vec![("red".into(), vec!["hot colour".into()])],
            ..Slot::default()
        }
    }

    fn value(text: &str) -> Option<String> {
        let found = Choice::new(&slot()).parse(&Lexer::default().tokens(text))?;
        found.value.as_str().map(str::to_owned)
    }

    #[test]
    fn a_value_is_found_by_its_words_in_any_order() {
        assert_eq!(value("the Red one").as_deref(), Some("red"));
        assert_eq!(value("rings lord").as_deref(), Some("lord of the rings"));
        assert_eq!(value("rings").as_deref(), None);
        assert_eq!(value("the"), None);
    }

    #[test]
    fn a_phrase_stands_for_its_value() {
        assert_eq!(value("a hot colour").as_deref(), Some("red"));
    }

    #[test]
    fn one_wrong_letter_is_forgiven() {
        for text in ["rd", "bed", "reds!", "redd"] {
            assert_eq!(value(text).as_deref(), Some("red"), "{text}");
        }
        assert_eq!(value("erd"), None);
    }

    #[test]
    fn several_values_are_no_answer() {
        assert_eq!(value("red or blue"), None);
    }

    #[test]
    fn the_distance_of_words() {
        for (a, b, same) in [
            ("ab", "abc", true),
            ("abc", "axc", true),
            ("abab", "ab", false),
            ("", "a", true),
            ("aa", "aa", false),
            ("ab", "ba", false),
            ("aab", "ab", true),
        ] {
            assert_eq!(one_off(a, b), same, "{a} {b}");
        }
    }
}
