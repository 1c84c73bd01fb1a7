//! A text against the phrases of a story: plain phrases first, templates only when none of those fits (`dispatch` 5.6, 5.7).
//!
//! A phrase fits when all its stems are in the text, in any order, and the text has at most [`MAX_UNCOVERED`] stems more.
//! There is no fuzziness here: one wrong letter is a miss.

use kitsoki_expr::Map;
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use crate::fold;
use crate::lex::{Token, content};
use crate::phrases::{Phrase, Phrases, Readiness};
use crate::slots::Day;
use crate::template::{Filled, Template};
use crate::verdict::{Candidate, Hit, MatchKind, PARTIAL, PHRASE, TEMPLATE, Verdict};

/// How many stems a text may have beyond those of a phrase.
pub const MAX_UNCOVERED: usize = 6;

/// The intents that count; without any, all do.
pub struct Allowed<'a>(FxHashSet<&'a str>);

impl<'a> Allowed<'a> {
    /// From names.
    #[must_use]
    pub fn new(names: impl IntoIterator<Item = &'a str>) -> Self {
        Self(names.into_iter().collect())
    }

    /// Whether an intent counts.
    #[must_use]
    pub fn has(&self, intent: &str) -> bool {
        self.0.is_empty() || self.0.contains(intent)
    }
}

impl Phrases {
    /// What the phrases make of a text. `today` is the day that relative dates count from.
    #[must_use]
    pub fn classify(&self, text: &str, allowed: &Allowed<'_>, today: Day) -> Option<Verdict> {
        if *self.readiness() != Readiness::Ready {
            return None;
        }
        let words = self.lexer().tokens(text);
        plain(self, text, &words, allowed).or_else(|| templates(self, &words, allowed, today))
    }
}

fn plain(phrases: &Phrases, text: &str, words: &[Token], allowed: &Allowed<'_>) -> Option<Verdict> {
    let stems = content(words);
    let text = fold::exact(text);
    // The first phrase of every intent that fits, and the last one that is the text itself.
    let mut first: Vec<&Phrase> = Vec::new();
    let mut exact: Vec<&Phrase> = Vec::new();
    for (phrase, shared) in phrases.sharing(&stems) {
        let fits = shared == phrase.stems.len() && stems.len() - shared <= MAX_UNCOVERED;
        if !fits || !allowed.has(&phrase.intent) {
            continue;
        }
        if phrase.exact == text {
            exact.retain(|other| other.intent != phrase.intent);
            exact.push(phrase);
        }
        if first.last().is_none_or(|other| other.intent != phrase.intent) {
            first.push(phrase);
        }
    }
    let hit = |phrase: &Phrase, reason: String| {
        Some(Verdict::Hit(Hit {
            intent: phrase.intent.clone(),
            slots: Map::new(),
            missing: Vec::new(),
            confidence: PHRASE,
            reason,
            kind: phrase.kind,
        }))
    };
    match (first.as_slice(), exact.as_slice()) {
        ([], _) => return None,
        ([only], _) | (_, [only]) => return hit(only, only.reason()),
        _ => {}
    }
    if let Some(lead) = words.iter().find(|w| !w.stop && !w.number) {
        let mut leading = first.iter().filter(|p| p.stems.contains(&lead.norm));
        if let (Some(phrase), None) = (leading.next(), leading.next()) {
            return hit(phrase, format!("leading-verb:{}", lead.norm));
        }
    }
    let candidates = first.iter().map(|phrase| Candidate {
        intent: phrase.intent.clone(),
        reason: phrase.reason(),
    });
    Some(Verdict::Tie(candidates.collect()))
}

fn templates(phrases: &Phrases, words: &[Token], allowed: &Allowed<'_>, today: Day) -> Option<Verdict> {
    if words.is_empty() {
        return None;
    }
    // The template of every intent that fills the most slots; of two equal ones the first.
    let mut best: Vec<(&Template, Filled)> = Vec::new();
    for template in phrases.templates().iter().filter(|t| allowed.has(&t.intent)) {
        let Ok(filled) = template.read(words, today) else {
            continue;
        };
        match best.last_mut() {
            Some((other, most)) if other.intent == template.intent => {
                if filled.slots.len() > most.slots.len() {
                    (*other, *most) = (template, filled);
                }
            }
            _ => best.push((template, filled)),
        }
    }
    let [(template, filled)] = best.as_slice() else {
        let candidates = best.iter().map(|(template, _)| Candidate {
            intent: template.intent.clone(),
            reason: format!("template:{}", template.source),
        });
        return (!best.is_empty()).then(|| Verdict::Tie(candidates.collect()));
    };
    let mut missing: Vec<SmolStr> = filled.missing.clone();
    missing.sort_unstable();
    let (confidence, word) = if missing.is_empty() {
        (TEMPLATE, "template")
    } else {
        (PARTIAL, "template_partial")
    };
    Some(Verdict::Hit(Hit {
        intent: template.intent.clone(),
        slots: filled.slots.clone(),
        missing,
        confidence,
        reason: format!("{word}:{}", template.source),
        kind: MatchKind::Template,
    }))
}
