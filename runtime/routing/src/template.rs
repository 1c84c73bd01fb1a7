//! Templates: synonyms with captures, `pack {n} shirts` (`dispatch` 5.5, 5.7).
//!
//! Unlike a plain phrase a template is matched in order, and stop words in it count, because they often are what divides
//! two captures.

use std::fmt;

use kitsoki_expr::Map;
use kitsoki_ir::Intent;
use smol_str::SmolStr;

use crate::lex::{Lexer, Token};
use crate::slots::{Day, Parser};

/// A template that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TemplateError {
    /// The intent.
    pub intent: SmolStr,
    /// The template.
    pub synonym: SmolStr,
    /// What is wrong with it.
    pub fault: TemplateFault,
}

/// What is wrong with a template.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TemplateFault {
    /// A `{` that nothing closes.
    Unclosed,
    /// A `}` that closes nothing.
    Unopened,
    /// A `{` inside of braces.
    Nested,
    /// Braces without a name.
    NoName,
    /// A name that is no slot of the intent.
    UnknownSlot(SmolStr),
    /// Two captures with nothing between them.
    Adjacent(SmolStr, SmolStr),
}

impl fmt::Display for TemplateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the synonym `{}` of `{}` ", self.synonym, self.intent)?;
        match &self.fault {
            TemplateFault::Unclosed => f.write_str("has a `{` without its `}`"),
            TemplateFault::Unopened => f.write_str("has a `}` without its `{`"),
            TemplateFault::Nested => f.write_str("has braces inside of braces"),
            TemplateFault::NoName => f.write_str("has braces without the name of a slot"),
            TemplateFault::UnknownSlot(slot) => write!(f, "names `{slot}`, which is no slot of the intent"),
            TemplateFault::Adjacent(a, b) => {
                write!(f, "has nothing between `{{{a}}}` and `{{{b}}}` that could divide them")
            }
        }
    }
}

impl std::error::Error for TemplateError {}

/// Why a template does not fit a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Misfit {
    /// This literal does not stand in the text where it should.
    Lacks(SmolStr),
    /// Something stands before the literal that should come next.
    Before(SmolStr),
    /// Something stands behind the last words.
    Behind,
    /// Two captures have no word between them, so it never fits.
    Never,
}

/// A part of a template.
#[derive(Clone, Debug)]
enum Part {
    /// A literal: its words by their norms, never none, and as it is written.
    Words { norms: Vec<SmolStr>, written: SmolStr },
    /// A capture.
    Slot { name: SmolStr, parser: Parser },
}

/// A compiled template.
#[derive(Clone, Debug)]
pub struct Template {
    /// The intent.
    pub intent: SmolStr,
    /// As the author wrote it.
    pub source: SmolStr,
    parts: Vec<Part>,
}

/// What a template read.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Filled {
    /// Slots with a value.
    pub slots: Map,
    /// Captures without one, in order.
    pub missing: Vec<SmolStr>,
}

impl Template {
    /// Compiles one. `definition` says which slots there are.
    ///
    /// # Errors
    /// When the braces do not name slots in a way that can be matched.
    pub fn new(definition: &Intent, intent: &SmolStr, source: &SmolStr, lexer: &Lexer) -> Result<Self, TemplateError> {
        let fault = |fault| TemplateError {
            intent: intent.clone(),
            synonym: source.clone(),
            fault,
        };
        let mut parts: Vec<Part> = Vec::new();
        let mut previous: Option<SmolStr> = None;
        let mut rest = source.as_str();
        while !rest.is_empty() {
            let brace = rest.find(['{', '}']).unwrap_or(rest.len());
            let (literal, tail) = rest.split_at(brace);
            // A literal without a word divides two captures for the checker alone: such a template never matches.
            if !literal.is_empty() {
                previous = None;
            }
            let norms: Vec<SmolStr> = lexer.tokens(literal).into_iter().map(|t| t.norm).collect();
            if !norms.is_empty() {
                let written = SmolStr::new(literal.trim());
                parts.push(Part::Words { norms, written });
            }
            let Some(inside) = tail.strip_prefix('{') else {
                if tail.is_empty() {
                    break;
                }
                return Err(fault(TemplateFault::Unopened));
            };
            let (name, after) = inside.split_once('}').ok_or_else(|| fault(TemplateFault::Unclosed))?;
            if name.contains('{') {
                return Err(fault(TemplateFault::Nested));
            }
            let name = name.trim();
            if name.is_empty() {
                return Err(fault(TemplateFault::NoName));
            }
            let slot = definition
                .slot(name)
                .ok_or_else(|| fault(TemplateFault::UnknownSlot(name.into())))?;
            let name = SmolStr::new(name);
            if let Some(before) = previous.replace(name.clone()) {
                return Err(fault(TemplateFault::Adjacent(before, name)));
            }
            parts.push(Part::Slot {
                name,
                parser: Parser::of(slot),
            });
            rest = after;
        }
        Ok(Self {
            intent: intent.clone(),
            source: source.clone(),
            parts,
        })
    }

    /// Reads some words.
    ///
    /// # Errors
    /// When the template does not fit them.
    pub fn read(&self, words: &[Token], today: Day) -> Result<Filled, Misfit> {
        let mut filled = Filled::default();
        let mut cursor = 0;
        let mut open: Option<(&SmolStr, &Parser)> = None;
        for part in &self.parts {
            let (norms, written) = match part {
                Part::Slot { name, parser } if open.is_none() => {
                    open = Some((name, parser));
                    continue;
                }
                // Two captures with a literal of no words between them.
                Part::Slot { .. } => return Err(Misfit::Never),
                Part::Words { norms, written } => (norms, written),
            };
            let (start, end) = find(words, cursor, norms).ok_or_else(|| Misfit::Lacks(written.clone()))?;
            match open.take() {
                Some((name, parser)) => {
                    let captured = words.get(cursor..start).unwrap_or_default();
                    filled.take(name, parser, captured, today);
                }
                None if start == cursor => {}
                None => return Err(Misfit::Before(written.clone())),
            }
            cursor = end;
        }
        let rest = words.get(cursor..).unwrap_or_default();
        match open {
            Some((name, parser)) => filled.take(name, parser, rest, today),
            None if rest.iter().all(|w| w.stop) => {}
            None => return Err(Misfit::Behind),
        }
        Ok(filled)
    }

    /// The slots that it captures, in order.
    pub fn captures(&self) -> impl Iterator<Item = &SmolStr> {
        self.parts.iter().filter_map(|part| match part {
            Part::Slot { name, .. } => Some(name),
            Part::Words { .. } => None,
        })
    }

    /// Whether two captures follow each other without a word between them.
    #[must_use]
    pub fn never_fits(&self) -> bool {
        self.parts
            .windows(2)
            .any(|two| matches!(two, [Part::Slot { .. }, Part::Slot { .. }]))
    }

    /// Whether a word is one of the template's own.
    #[must_use]
    pub fn has(&self, word: &Token) -> bool {
        self.parts
            .iter()
            .any(|part| matches!(part, Part::Words { norms, .. } if norms.contains(&word.norm)))
    }
}

impl Filled {
    fn take(&mut self, name: &SmolStr, parser: &Parser, words: &[Token], today: Day) {
        match parser.parse(words, today) {
            Some(found) => {
                self.slots.insert(name.clone(), found.value);
            }
            None => self.missing.push(name.clone()),
        }
    }
}

/// The first place at or behind `from` where the wanted norms stand in order with nothing but stop words between them:
/// the index of the first one, and the index behind the last one.
///
/// All places are followed at once, so that the cost is the length of the text times the length of the literal. Of two
/// places that have come equally far only the earlier one is kept: they have the same future.
fn find(words: &[Token], from: usize, wanted: &[SmolStr]) -> Option<(usize, usize)> {
    let first = wanted.first()?;
    // At index `k`: where the earliest place began that has matched `k + 1` norms.
    let mut begun: Vec<Option<usize>> = vec![None; wanted.len()];
    for (at, word) in words.iter().enumerate().skip(from) {
        for matched in (1..wanted.len()).rev() {
            let Some(start) = begun.get_mut(matched - 1).and_then(Option::take) else {
                continue;
            };
            let next = if wanted.get(matched) == Some(&word.norm) {
                matched
            } else if word.stop {
                matched - 1
            } else {
                continue;
            };
            if let Some(slot) = begun.get_mut(next) {
                *slot = Some(slot.map_or(start, |other| other.min(start)));
            }
        }
        if word.norm == *first {
            let slot = begun.first_mut()?;
            *slot = Some(slot.unwrap_or(at));
        }
        if let Some(start) = begun.last().copied().flatten() {
            return Some((start, at + 1));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use kitsoki_ir::{OriginId, Slot};

    fn intent() -> Intent {
        let slot = |name: &str, ty: &str| Slot {
            name: name.into(),
            ty: ty.into(),
            ..Slot::default()
        };
        Intent {
            at: OriginId(0),
            name: "pack".into(),
            scope: None,
            title: "".into(),
            description: "".into(),
            examples: vec![],
            synonyms: vec![],
            priority: 0,
            hidden: false,
            slots: vec![slot("n", "int"), slot("what", "string"), slot("to", "")],
        }
    }

    fn compiled(source: &str) -> Result<Template, TemplateFault> {
        Template::new(&intent(), &"pack".into(), &source.into(), &Lexer::default()).map_err(|e| e.fault)
    }

    fn read(source: &str, text: &str) -> Option<String> {
        let filled = compiled(source)
            .unwrap()
            .read(&Lexer::default().tokens(text), Day::new(2026, 1, 1))
            .ok()?;
        let slots = filled.slots.iter().map(|(k, v)| match v.as_int() {
            Some(n) => format!("{k}={n}"),
            None => format!("{k}={}", v.as_str().unwrap_or("?")),
        });
        let missing = filled.missing.iter().map(|m| format!("{m}?"));
        Some(slots.chain(missing).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn a_capture_ends_at_the_next_literal() {
        assert_eq!(
            read("pack {n} shirts", "pack three shirts please").as_deref(),
            Some("n=3")
        );
        assert_eq!(
            read("{what} to {to}", "the old hat to to town").as_deref(),
            Some("what=the old hat to=to town")
        );
        assert_eq!(read("pack {n}", "pack pack 3 shirts").as_deref(), Some("n=3"));
    }

    #[test]
    fn a_capture_that_cannot_be_read_is_missing() {
        assert_eq!(read("pack {n} shirts", "pack shirts").as_deref(), Some("n?"));
        assert_eq!(read("{n} and {n}", "x and 3").as_deref(), Some("n=3 n?"));
    }

    #[test]
    fn text_outside_of_captures_must_be_the_literal() {
        assert_eq!(read("pack {n} shirts", "please pack 3 shirts"), None);
        assert_eq!(read("pack {n} shirts", "pack 3 shirts now"), None);
        assert_eq!(read("pack {n} shirts", "pack 3 hats"), None);
    }

    #[test]
    fn stop_words_inside_of_a_literal_are_passed_over() {
        assert_eq!(
            read("go across river {what}", "go across the river slowly").as_deref(),
            Some("what=slowly")
        );
        assert_eq!(read("take it {what}", "take it away").as_deref(), Some("what=away"));
    }

    #[test]
    fn the_search_for_a_literal_goes_on_after_a_false_start() {
        assert_eq!(read("{what} to x y", "a to x to x y").as_deref(), Some("what=a to x"));
    }

    #[test]
    fn captures_divided_by_a_sign_never_match() {
        assert_eq!(read("{n} — {what}", "3 — hats"), None);
        assert_eq!(read("{n} {what}", "3 hats"), None);
    }

    #[test]
    fn faults() {
        assert_eq!(compiled("pack {n").err(), Some(TemplateFault::Unclosed));
        assert_eq!(compiled("pack n}").err(), Some(TemplateFault::Unopened));
        assert_eq!(compiled("pack {{n}}").err(), Some(TemplateFault::Nested));
        assert_eq!(compiled("pack { }").err(), Some(TemplateFault::NoName));
        assert_eq!(compiled("pack {m}").err(), Some(TemplateFault::UnknownSlot("m".into())));
        assert_eq!(
            compiled("{n}{what}").err(),
            Some(TemplateFault::Adjacent("n".into(), "what".into()))
        );
    }
}
