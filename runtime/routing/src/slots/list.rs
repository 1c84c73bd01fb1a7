//! `list[…]`: items that follow each other, with or without `and` between them.

use kitsoki_expr::Value;

use super::{Day, Found, Parser, from};
use crate::lex::Token;

/// The longest list.
const MAX_ITEMS: usize = 1024;

/// How many words are looked at for an item behind the first. It bounds the cost: an item uses few words, but its parser
/// looks at all that it is given.
const WINDOW: usize = 256;

pub(super) fn parse(words: &[Token], item: &Parser, today: Day) -> Option<Found> {
    let mut items = Vec::new();
    let mut span: Option<(usize, usize)> = None;
    let mut cursor = 0;
    let mut cut = 0;
    while items.len() < MAX_ITEMS {
        let first = items.is_empty();
        // An `and` between items was stepped over where it stood, so one that is met here follows nothing.
        cursor += from(words, cursor)
            .iter()
            .take_while(|w| if is_and(w) { first } else { w.stop })
            .count();
        if cut < cursor || first {
            let rest = from(words, cursor);
            cut = cursor + rest.iter().position(is_and).unwrap_or(rest.len());
        }
        let segment = words.get(cursor..cut).unwrap_or_default();
        let Some(found) = next(segment, item, today, first) else {
            break;
        };
        let found = Found {
            start: cursor + found.start,
            end: cursor + found.end,
            ..found
        };
        let (start, _) = span.unwrap_or((found.start, 0));
        span = Some((start.min(found.start), found.end));
        cursor = found.end;
        items.push(found.value);
        if words.get(cursor).is_some_and(is_and) {
            cursor += 1;
        }
    }
    let (start, end) = span?;
    Some(Found {
        value: Value::list(items),
        start,
        end,
    })
}

/// The item in some words without an `and`, which begin with a word of content. The first item may stand anywhere there,
/// each later one must begin with that word.
fn next(words: &[Token], item: &Parser, today: Day, first: bool) -> Option<Found> {
    if first {
        return item.parse(words, today);
    }
    // A list ends by itself; what the others look at is cut.
    let seen = match item {
        Parser::List(_) => words,
        _ => words.get(..WINDOW).unwrap_or(words),
    };
    item.parse(seen, today).filter(|found| found.start == 0)
}

fn is_and(word: &Token) -> bool {
    word.norm == "and"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lex::Lexer;
    use kitsoki_ir::Slot;

    fn values(ty: &str, text: &str) -> Option<String> {
        let slot = Slot {
            ty: ty.into(),
            values: vec!["red".into(), "green".into()],
            ..Slot::default()
        };
        let words = Lexer::default().tokens(text);
        let found = Parser::of(&slot).parse(&words, Day::new(2026, 3, 11))?;
        kitsoki_expr::print::interpolated(&found.value)
    }

    #[track_caller]
    fn all(ty: &str, expected: &[(&str, &str)]) {
        for (text, list) in expected {
            assert_eq!(values(ty, text).as_deref().unwrap_or("none"), *list, "{text}");
        }
    }

    #[test]
    fn items_follow_each_other() {
        all(
            "list[int]",
            &[
                ("4, 9, pink, 3", "[4,9]"),
                ("pink 4 and the 9", "[4,9]"),
                ("and 4", "[4]"),
                ("4 and and 5", "[4]"),
                ("eight seven", "[15]"),
                ("two hundred and fifty", "[200,50]"),
                ("pink", "none"),
            ],
        );
    }

    #[test]
    fn values_of_a_choice_need_an_and() {
        all(
            "list[enum]",
            &[("red green", "none"), ("red and green", r#"["red","green"]"#)],
        );
    }

    #[test]
    fn lists_of_lists() {
        all("list[list[int]]", &[("1 2 and 3", "[[1,2],[3]]")]);
        all("list[list[pink]]", &[("1", "none")]);
    }

    #[test]
    fn dates_lose_the_words_that_are_passed_over() {
        all(
            "list[date]",
            &[
                (
                    "today and tomorrow",
                    r#"["2026-03-11T00:00:00Z","2026-03-12T00:00:00Z"]"#,
                ),
                ("in 3 days and in 4 days", "none"),
            ],
        );
    }

    #[test]
    fn a_very_long_list_ends() {
        let many = values("list[int]", &"5 ".repeat(100_000)).unwrap();
        assert_eq!(many.matches('5').count(), MAX_ITEMS);
    }
}
