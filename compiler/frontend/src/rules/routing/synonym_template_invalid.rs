//! `synonym-template-invalid`: a synonym whose braces cannot be read (`language` 1.9).
//!
//! The load does not look; at the first free text the semantic tier of the whole story is switched off because of it.

use kitsoki_syntax::{TextRange, TextSize};

use super::super::names;
use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "synonym-template-invalid",
    level: Level::Warning,
    summary: "a synonym template that cannot be read",
    fixable: Fixable::Sometimes,
};

/// What can be wrong with the braces of a phrase, with the offsets of the wrong part.
#[derive(Debug, PartialEq, Eq)]
enum Fault<'t> {
    Unclosed(usize),
    Unopened(usize),
    Empty(usize, usize),
    Nested(usize),
    Adjacent(usize, usize),
    Unknown(usize, &'t str),
}

pub(super) fn check<'a>(cx: &'a StoryCx<'a>, intent: &'a Intent, out: &mut Vec<Diagnostic>) {
    let slots = intent.slots.value();
    for phrase in intent.synonyms.value().into_iter().flat_map(|s| s.iter()) {
        let Some(fault) = fault(phrase.as_str(), |slot| slots.is_some_and(|s| s.has(slot))) else {
            continue;
        };
        let size = |n: usize| TextSize::new(u32::try_from(n).unwrap_or(u32::MAX));
        let at = |from: usize, to: usize| cx.place(phrase, TextRange::new(size(from), size(to)));
        let finding = match fault {
            Fault::Unclosed(open) => RULE
                .at(at(open, open + 1), "never closed")
                .message("an open brace in a synonym"),
            Fault::Unopened(close) => RULE
                .at(at(close, close + 1), "never opened")
                .message("a stray brace in a synonym"),
            Fault::Nested(open) => RULE
                .at(at(open, open + 1), "inside of another one")
                .message("braces inside of braces in a synonym"),
            Fault::Empty(from, to) => RULE
                .at(at(from, to), "captures nothing")
                .message("empty braces in a synonym"),
            Fault::Adjacent(from, to) => RULE
                .at(at(from, to), "follows another capture directly")
                .message("two captures of a synonym need a word between them"),
            Fault::Unknown(open, name) => {
                let known = names::of_map(slots);
                let whole = at(open, open + name.len() + 2);
                let finding = RULE
                    .at(whole, "no slot of this intent")
                    .message(format!("the intent has no slot {}", code(name)));
                match names::nearest(name, "", &known) {
                    Some(near) => {
                        let inner = at(open + 1, open + 1 + name.len());
                        let title = format!("change it to {}", code(&near.spelling));
                        let finding = finding
                            .help(title.clone())
                            .fix(Fix::replace(inner, near.spelling).title(title));
                        match near.at {
                            Some(slot) => finding.label(slot.span, "a slot with a similar name"),
                            None => finding,
                        }
                    }
                    None => match known.first().and_then(|k| k.at) {
                        Some(first) => finding.label(first.span, "its slots begin here"),
                        None => finding.help("the intent has no slots"),
                    },
                }
            }
        };
        out.push(
            finding.note(
                "the load accepts it; the first free text then switches semantic routing off for the whole story",
            ),
        );
    }
}

/// The first fault of a phrase.
fn fault<'t>(phrase: &'t str, is_slot: impl Fn(&str) -> bool) -> Option<Fault<'t>> {
    if !phrase.contains(['{', '}']) {
        return None;
    }
    let mut open: Option<usize> = None;
    let mut last_close: Option<usize> = None;
    let mut unknown: Option<Fault<'t>> = None;
    let mut adjacent: Option<Fault<'t>> = None;
    for (at, c) in phrase.char_indices() {
        match (c, open) {
            ('{', Some(_)) => return Some(Fault::Nested(at)),
            ('{', None) => {
                if last_close == Some(at) {
                    let end = phrase
                        .get(at..)
                        .and_then(|r| r.find('}'))
                        .map_or(at + 1, |e| at + e + 1);
                    adjacent.get_or_insert(Fault::Adjacent(at, end));
                }
                open = Some(at);
            }
            ('}', None) => return Some(Fault::Unopened(at)),
            ('}', Some(from)) => {
                let name = phrase.get(from + 1..at).unwrap_or_default();
                if name.trim().is_empty() {
                    return Some(Fault::Empty(from, at + 1));
                }
                if !is_slot(name.trim()) {
                    unknown.get_or_insert(Fault::Unknown(from, name));
                }
                open = None;
                last_close = Some(at + 1);
            }
            _ => {}
        }
    }
    open.map(Fault::Unclosed).or(unknown).or(adjacent)
}

#[cfg(test)]
mod tests {
    use super::{Fault, fault};

    #[test]
    fn the_first_fault_of_the_braces_is_found() {
        let slots = |s: &str| s == "dish" || s == "count";
        assert_eq!(fault("bring {dish}", slots), None);
        assert_eq!(fault("bring {count} of {dish}", slots), None);
        assert_eq!(fault("bring {dish", slots), Some(Fault::Unclosed(6)));
        assert_eq!(fault("bring dish}", slots), Some(Fault::Unopened(10)));
        assert_eq!(fault("a {} b", slots), Some(Fault::Empty(2, 4)));
        assert_eq!(fault("{count}{dish}", slots), Some(Fault::Adjacent(7, 13)));
        assert_eq!(fault("{meal}", slots), Some(Fault::Unknown(0, "meal")));
        assert_eq!(fault("{a {dish}}", slots), Some(Fault::Nested(3)));
    }
}
