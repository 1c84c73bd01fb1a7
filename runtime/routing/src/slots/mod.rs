//! Slot values in words: what the words that a template captures mean for the type of the slot (`dispatch` 5.8).
//!
//! A parser sees the captured words only, and says which of them it used, because a list goes on behind its last item. No
//! parser reads a clock: dates count from a day that is handed in.

mod choice;
mod date;
mod day;
mod list;
mod number;
mod yes_no;

use kitsoki_expr::Value;
use kitsoki_ir::Slot;

use crate::lex::Token;

pub use day::Day;

/// The deepest nesting of lists that has a parser.
const MAX_LISTS: usize = 8;

/// What a parser found.
#[derive(Clone, PartialEq, Debug)]
pub struct Found {
    /// The value.
    pub value: Value,
    /// Index of the first word that was used.
    pub start: usize,
    /// Index behind the last word that was used.
    pub end: usize,
}

/// Reads the values of one slot.
#[derive(Clone, Debug)]
pub enum Parser {
    /// Whole numbers.
    Int,
    /// Amounts of money, in whole dollars.
    Money,
    /// One of the declared values.
    Choice(choice::Choice),
    /// Yes or no.
    YesNo,
    /// Days.
    Date,
    /// Several of one of the others.
    List(Box<Parser>),
    /// The words themselves.
    Words,
    /// Nothing: no word can fill a slot of this type.
    Never,
}

impl Parser {
    /// The parser of a slot, by the word of its type.
    #[must_use]
    pub fn of(slot: &Slot) -> Self {
        match slot.ty.as_str() {
            "" | "string" => Self::Words,
            ty => Self::typed(ty, slot, MAX_LISTS).unwrap_or(Self::Never),
        }
    }

    fn typed(ty: &str, slot: &Slot, lists: usize) -> Option<Self> {
        Some(match ty {
            "int" => Self::Int,
            "money" | "$int" => Self::Money,
            "enum" => Self::Choice(choice::Choice::new(slot)),
            "bool" => Self::YesNo,
            "date" => Self::Date,
            other => {
                let inner = other.strip_prefix("list[")?.strip_suffix(']')?;
                Self::List(Box::new(Self::typed(inner, slot, lists.checked_sub(1)?)?))
            }
        })
    }

    /// The value in some words, if there is one. `today` is the day that relative dates count from.
    #[must_use]
    pub fn parse(&self, words: &[Token], today: Day) -> Option<Found> {
        if words.is_empty() {
            return None;
        }
        match self {
            Self::Int => number::int(words),
            Self::Money => number::money(words),
            Self::Choice(choice) => choice.parse(words),
            Self::YesNo => yes_no::parse(words),
            Self::Date => date::parse(words, today),
            Self::List(item) => list::parse(words, item, today),
            Self::Words => Some(Found {
                value: Value::text(surfaces(words)),
                start: 0,
                end: words.len(),
            }),
            Self::Never => None,
        }
    }
}

/// The words as one text.
fn surfaces(words: &[Token]) -> String {
    let mut out = String::new();
    for word in words {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(&word.surface);
    }
    out
}

/// The words from an index on; none behind the end.
fn from(words: &[Token], start: usize) -> &[Token] {
    words.get(start..).unwrap_or_default()
}

/// The spelled number that begins with the word at `start`, looking at no more than `window` words.
fn spelled_at(words: &[Token], start: usize, window: usize) -> Option<crate::lex::Spelled> {
    let run = from(words, start).iter().take(window);
    crate::lex::spelled(run.take_while(|w| w.is_plain_word()).map(|w| w.surface.as_str()))
}
