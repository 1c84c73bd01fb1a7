//! `int` and `money`.
//!
//! Digits win over words wherever they stand. There is no sign: `-3` is the word `3` to everything here.

use kitsoki_expr::Value;

use super::{Found, spelled_at};
use crate::lex::Token;

/// The longest number in words, in words.
const WINDOW: usize = 16;

fn found(value: i64, start: usize, end: usize) -> Option<Found> {
    Some(Found {
        value: Value::Int(value),
        start,
        end,
    })
}

/// The first word of digits that fits, else the first number in words.
pub(super) fn int(words: &[Token]) -> Option<Found> {
    let content = || words.iter().enumerate().filter(|(_, w)| !w.stop);
    if let Some((at, value)) = content().find_map(|(at, w)| Some((at, w.digits()?))) {
        return found(value, at, at + 1);
    }
    let (at, spelled) = content().find_map(|(at, w)| {
        // The first word must be a number by itself, so that an `and` in front is none.
        let number = w.is_plain_word() && w.number;
        number.then(|| spelled_at(words, at, WINDOW)).flatten().map(|s| (at, s))
    })?;
    found(spelled.value, at, at + spelled.words)
}

/// An amount with its unit, in digits or else in words; without any unit the first amount in digits.
pub(super) fn money(words: &[Token]) -> Option<Found> {
    let unit = |at: usize| {
        words
            .get(at)
            .is_some_and(|w| matches!(w.surface.as_str(), "dollar" | "dollars" | "buck" | "bucks"))
    };
    let amounts = || words.iter().enumerate().filter_map(|(at, w)| Some((at, dollars(w)?)));
    if let Some((at, value)) = amounts().find(|(at, _)| unit(at + 1)) {
        return found(value, at, at + 2);
    }
    let in_words = (0..words.len()).find_map(|at| {
        let spelled = spelled_at(words, at, WINDOW)?;
        unit(at + spelled.words).then_some((at, spelled))
    });
    if let Some((at, spelled)) = in_words {
        return found(spelled.value, at, at + spelled.words + 1);
    }
    let (at, value) = amounts().next()?;
    found(value, at, at + 1)
}

/// Whole dollars of a word of digits, cents rounded.
fn dollars(word: &Token) -> Option<i64> {
    if !word.number {
        return None;
    }
    if word.surface.contains('.') {
        let amount: f64 = word.surface.parse().ok()?;
        #[expect(
            clippy::cast_possible_truncation,
            reason = "an amount beyond all money is the largest one"
        )]
        return Some(amount.round() as i64);
    }
    word.digits()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lex::Lexer;

    fn value(parser: fn(&[Token]) -> Option<Found>, text: &str) -> Option<i64> {
        parser(&Lexer::default().tokens(text))?.value.as_int()
    }

    #[test]
    fn digits_come_before_words() {
        assert_eq!(value(int, "six shirts and 3 hats"), Some(3));
        assert_eq!(value(int, "six shirts"), Some(6));
        assert_eq!(value(int, "and six"), Some(6));
        assert_eq!(value(int, "two hundred and fifty oxen"), Some(250));
        assert_eq!(value(int, "many"), None);
    }

    #[test]
    fn a_number_that_does_not_fit_is_passed_over() {
        assert_eq!(value(int, "99999999999999999999 or 4"), Some(4));
    }

    #[test]
    fn money_prefers_an_amount_with_a_unit() {
        assert_eq!(value(money, "6 oxen for 240 dollars"), Some(240));
        assert_eq!(value(money, "6 oxen for two hundred bucks"), Some(200));
        assert_eq!(value(money, "4 mules for $90"), Some(4));
        assert_eq!(value(money, "20.50"), Some(21));
        assert_eq!(value(money, "twenty"), None);
    }
}
