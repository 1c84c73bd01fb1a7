//! Numbers in words: `two hundred and fifty`.
//!
//! Only the words are looked at, from left to right. Some runs that nobody would write have a value, too: two units in a
//! row add up (`one two` is 3), a scale without a number counts once (`hundred` is 100).

/// A spelled number at the beginning of some words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spelled {
    /// Its value.
    pub value: i64,
    /// How many words it takes.
    pub words: usize,
}

/// The longest run of words from the first one on that is a number. The words must be in lower case.
#[must_use]
pub fn spelled<'a>(words: impl IntoIterator<Item = &'a str>) -> Option<Spelled> {
    let (mut total, mut current) = (0i64, 0i64);
    let mut after_tens = false;
    let mut count = 0;
    for word in words {
        match word_value(word) {
            // An `and` ends a group of tens, and cannot come first.
            Some(Part::And) if count > 0 => after_tens = false,
            Some(Part::Unit(value)) => {
                current = current.wrapping_add(value);
                after_tens = false;
            }
            Some(Part::Tens(value)) if !after_tens => {
                current = current.wrapping_add(value);
                after_tens = true;
            }
            Some(Part::Hundred) => {
                current = current.max(1).wrapping_mul(100);
                after_tens = false;
            }
            Some(Part::Scale(scale)) => {
                total = total.wrapping_add(current.max(1).wrapping_mul(scale));
                current = 0;
                after_tens = false;
            }
            Some(Part::And | Part::Tens(_)) | None => break,
        }
        count += 1;
    }
    (count > 0).then_some(Spelled {
        value: total.wrapping_add(current),
        words: count,
    })
}

enum Part {
    And,
    Unit(i64),
    Tens(i64),
    Hundred,
    Scale(i64),
}

fn word_value(word: &str) -> Option<Part> {
    Some(match word {
        "and" => Part::And,
        "zero" => Part::Unit(0),
        "one" => Part::Unit(1),
        "two" => Part::Unit(2),
        "three" => Part::Unit(3),
        "four" => Part::Unit(4),
        "five" => Part::Unit(5),
        "six" => Part::Unit(6),
        "seven" => Part::Unit(7),
        "eight" => Part::Unit(8),
        "nine" => Part::Unit(9),
        "ten" => Part::Unit(10),
        "eleven" => Part::Unit(11),
        "twelve" => Part::Unit(12),
        "thirteen" => Part::Unit(13),
        "fourteen" => Part::Unit(14),
        "fifteen" => Part::Unit(15),
        "sixteen" => Part::Unit(16),
        "seventeen" => Part::Unit(17),
        "eighteen" => Part::Unit(18),
        "nineteen" => Part::Unit(19),
        "twenty" => Part::Tens(20),
        "thirty" => Part::Tens(30),
        "forty" => Part::Tens(40),
        "fifty" => Part::Tens(50),
        "sixty" => Part::Tens(60),
        "seventy" => Part::Tens(70),
        "eighty" => Part::Tens(80),
        "ninety" => Part::Tens(90),
        "hundred" => Part::Hundred,
        "thousand" => Part::Scale(1_000),
        "million" => Part::Scale(1_000_000),
        "billion" => Part::Scale(1_000_000_000),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Option<(i64, usize)> {
        spelled(text.split(' ')).map(|s| (s.value, s.words))
    }

    #[test]
    fn ordinary_numbers() {
        assert_eq!(value("six"), Some((6, 1)));
        assert_eq!(value("two hundred and fifty"), Some((250, 4)));
        assert_eq!(value("one million two hundred thousand"), Some((1_200_000, 5)));
        assert_eq!(value("twenty five oxen"), Some((25, 2)));
    }

    #[test]
    fn numbers_that_nobody_writes_have_a_value_too() {
        assert_eq!(value("one two"), Some((3, 2)));
        assert_eq!(value("two thousand thousand"), Some((3000, 3)));
        assert_eq!(value("hundred hundred"), Some((10_000, 2)));
        assert_eq!(value("five and twenty"), Some((25, 3)));
    }

    #[test]
    fn a_second_word_of_tens_ends_the_number() {
        assert_eq!(value("twenty thirty"), Some((20, 1)));
        assert_eq!(value("twenty and thirty"), Some((50, 3)));
    }

    #[test]
    fn other_words_are_no_number() {
        assert_eq!(value("and two"), None);
        assert_eq!(value("sixes"), None);
        assert_eq!(spelled([]), None);
    }

    #[test]
    fn a_number_that_is_too_large_does_not_end_the_program() {
        assert!(value(&vec!["billion"; 40].join(" ")).is_some());
        assert!(value(&vec!["hundred"; 40].join(" ")).is_some());
    }
}
