//! `list[…]`: items that follow each other, with or without `and` between them.

use kitsoki_expr::Value;

use super::{Day, Found, Parser, from};
use crate::lex::Token;

/// The longest list. An item may be looked for to the end of the text, so the number of items bounds the cost.
const MAX_ITEMS: usize = 1024;

pub(super) fn parse(words: &[Token], item: &Parser, today: Day) -> Option<Found> {
    let list = List { words, item, today };
    let mut items = Vec::new();
    let mut span: Option<(usize, usize)> = None;
    let mut cursor = 0;
    while items.len() < MAX_ITEMS {
        let first = items.is_empty();
        // An `and` between items was stepped over where it stood, so one that is met here follows nothing.
        cursor += from(words, cursor)
            .iter()
            .take_while(|w| if is_and(w) { first } else { w.stop })
            .count();
        let Some(found) = list.item_at(cursor, !first) else {
            break;
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

struct List<'a> {
    words: &'a [Token],
    item: &'a Parser,
    today: Day,
}

impl List<'_> {
    /// The item in the words from `start` to the next `and`. When `strict`, it must begin at or before the first of them
    /// that is no stop word.
    fn item_at(&self, start: usize, strict: bool) -> Option<Found> {
        let rest = from(self.words, start);
        let cut = rest.iter().position(is_and).unwrap_or(rest.len());
        let segment = rest.get(..cut)?;
        let found = self.item.parse(segment, self.today)?;
        let first = segment.iter().take_while(|w| w.stop).count();
        if strict && found.start > first {
            return None;
        }
        Some(Found {
            value: found.value,
            start: start + found.start,
            end: start + found.end,
        })
    }
}

fn is_and(word: &Token) -> bool {
    word.norm == "and"
}
