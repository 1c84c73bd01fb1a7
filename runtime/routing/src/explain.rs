//! Why a text was routed as it was: the decision, and the phrases that came near and lost.
//!
//! For people who write phrases. It looks at every phrase of the story, those of intents that are not allowed included.

use std::cmp::Reverse;
use std::fmt;

use smol_str::SmolStr;

use crate::decision::{Decision, Outcome};
use crate::lex::{Token, content};
use crate::matching::{Allowed, MAX_UNCOVERED};
use crate::phrases::{Phrase, Phrases, Readiness};
use crate::services::Services;
use crate::situation::{Situation, allows};
use crate::slots::Day;
use crate::template::{Misfit, Template};

/// A phrase that lost.
#[derive(Clone, PartialEq, Debug)]
pub struct Lost {
    /// Its intent.
    pub intent: SmolStr,
    /// As in [`crate::verdict::Hit::reason`].
    pub phrase: String,
    /// Why.
    pub why: Why,
}

/// Why a phrase lost.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Why {
    /// It fits, but its intent is not allowed here.
    NotAllowed,
    /// These words of it are not in the text.
    Lacks(Vec<SmolStr>),
    /// The text says this many words of content more than it, which is too much.
    Exceeded(usize),
    /// It fits, as the one that was taken does, which is the text itself or has its first word.
    Outranked,
    /// It is a template, and a plain phrase fits.
    BehindPhrases,
    /// It is a template and fits, but another one of the same intent is as good.
    BehindTemplate,
    /// Something stands before these words of it.
    Before(SmolStr),
    /// Something stands behind its last word.
    Behind,
    /// Two of its captures have no word between them.
    Never,
}

impl Why {
    /// A word for programs.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::NotAllowed => "not-allowed",
            Self::Lacks(_) => "lacks",
            Self::Exceeded(_) => "exceeded",
            Self::Outranked => "outranked",
            Self::BehindPhrases => "behind-phrases",
            Self::BehindTemplate => "behind-template",
            Self::Before(_) => "before",
            Self::Behind => "behind",
            Self::Never => "never",
        }
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let listed = |words: &[SmolStr]| {
            let words: Vec<String> = words.iter().map(|w| format!("`{w}`")).collect();
            words.join(", ")
        };
        match self {
            Self::NotAllowed => f.write_str("it fits, but the intent is not allowed here"),
            Self::Lacks(words) => write!(f, "the text has no {}", listed(words)),
            Self::Exceeded(more) => write!(
                f,
                "the text says {more} words more than it; {MAX_UNCOVERED} are the most"
            ),
            Self::Outranked => f.write_str("it fits, too; the other is the text itself or has its first word"),
            Self::BehindPhrases => f.write_str("templates are only tried when no plain phrase fits"),
            Self::BehindTemplate => f.write_str("it fits, too, but fills no more slots"),
            Self::Before(words) => write!(f, "something stands before `{words}`"),
            Self::Behind => f.write_str("something stands behind its last word"),
            Self::Never => f.write_str("two of its captures have no word between them, so it never fits"),
        }
    }
}

/// The phrases that share a word with a text and were not taken, the nearest first, at most `most`.
#[must_use]
pub fn lost(
    phrases: &Phrases,
    at: &dyn Situation,
    text: &str,
    services: &Services<'_>,
    decision: &Decision,
    most: usize,
) -> Vec<Lost> {
    if *phrases.readiness() != Readiness::Ready {
        return Vec::new();
    }
    let words = phrases.lexer().tokens(text);
    let today = Day::of_nanos(services.now);
    let taken = taken(decision);
    let allowed = Allowed::new(at.allowed().iter().map(SmolStr::as_str));
    let fits = |phrase: &Phrase, shared: usize, stems: usize| {
        shared == phrase.stems.len() && stems - shared <= MAX_UNCOVERED && allowed.has(&phrase.intent)
    };
    let stems = content(&words);
    let sharing = phrases.sharing(&stems);
    let plain = sharing.iter().any(|(p, shared)| fits(p, *shared, stems.len()));
    let mut found: Vec<(Nearness, Lost)> = Vec::new();
    for (phrase, shared) in &sharing {
        // Phrases of an intent that was taken lost nothing.
        let full = *shared == phrase.stems.len();
        if full && taken.intents.contains(&phrase.intent.as_str()) {
            continue;
        }
        let lost = Lost {
            intent: phrase.intent.clone(),
            phrase: phrase.reason(),
            why: why(phrases, phrase, &words, stems.len(), at),
        };
        found.push(((Reverse(phrase.stems.len() - shared), Reverse(0), *shared), lost));
    }
    for template in phrases.templates() {
        let own = words.iter().filter(|w| template.has(w)).count();
        if own == 0 {
            continue;
        }
        let lost = Lost {
            intent: template.intent.clone(),
            phrase: format!("template:{}", template.source),
            why: why_not(template, &words, today, at, plain),
        };
        let misfit = usize::from(matches!(
            lost.why,
            Why::Lacks(_) | Why::Before(_) | Why::Behind | Why::Never
        ));
        found.push(((Reverse(misfit), Reverse(1), own), lost));
    }
    // A template is the same whether all its slots were read or not.
    let whole = |phrase: &str| match phrase.strip_prefix("template_partial:") {
        Some(source) => format!("template:{source}"),
        None => phrase.to_owned(),
    };
    let same = |a: &str, b: &str| whole(a) == b;
    found.retain(|(_, lost)| !taken.phrases.iter().any(|taken| same(taken, &lost.phrase)));
    found.sort_by_key(|(nearness, _)| Reverse(*nearness));
    found.into_iter().take(most).map(|(_, lost)| lost).collect()
}

/// Less that is missing first, then phrases before templates, then more that is shared.
type Nearness = (Reverse<usize>, Reverse<usize>, usize);

/// What the decision is about.
struct Taken<'a> {
    intents: Vec<&'a str>,
    phrases: Vec<&'a str>,
}

fn taken(decision: &Decision) -> Taken<'_> {
    let mut taken = Taken {
        intents: Vec::new(),
        phrases: Vec::new(),
    };
    match &decision.outcome {
        Outcome::Submit { intent, .. } | Outcome::Clarify { intent, .. } => taken.intents.push(intent),
        Outcome::Ambiguous { candidates } => {
            taken.intents.extend(candidates.iter().map(|c| c.intent.as_str()));
            taken.phrases.extend(candidates.iter().map(|c| c.reason.as_str()));
        }
        Outcome::Interpreter => {}
    }
    taken.phrases.extend(decision.matched.as_deref());
    if let Some(deferred) = &decision.deferred {
        taken.intents.push(&deferred.hit.intent);
        taken.phrases.push(&deferred.hit.reason);
    }
    taken
}

fn why(phrases: &Phrases, phrase: &Phrase, words: &[Token], stems: usize, at: &dyn Situation) -> Why {
    let lacking: Vec<SmolStr> = phrases
        .lexer()
        .tokens(&phrase.source)
        .into_iter()
        .filter(|own| !own.stop && !words.iter().any(|w| !w.stop && w.norm == own.norm))
        .map(|own| own.surface)
        .collect();
    let more = stems.saturating_sub(phrase.stems.len());
    if !lacking.is_empty() {
        Why::Lacks(lacking)
    } else if !allows(at, &phrase.intent) {
        Why::NotAllowed
    } else if more > MAX_UNCOVERED {
        Why::Exceeded(more)
    } else {
        Why::Outranked
    }
}

fn why_not(template: &Template, words: &[Token], today: Day, at: &dyn Situation, plain: bool) -> Why {
    match template.read(words, today) {
        Err(Misfit::Lacks(words)) => Why::Lacks(vec![words]),
        Err(Misfit::Before(words)) => Why::Before(words),
        Err(Misfit::Behind) => Why::Behind,
        Err(Misfit::Never) => Why::Never,
        Ok(_) if !allows(at, &template.intent) => Why::NotAllowed,
        Ok(_) if plain => Why::BehindPhrases,
        Ok(_) => Why::BehindTemplate,
    }
}
