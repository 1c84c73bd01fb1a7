//! What is odd about the phrases of a story as a whole: phrases that can never do what they seem to be written for.
//!
//! For authors. It tries no text; what becomes of one is [`crate::explain`]'s business.

use std::collections::BTreeMap;
use std::fmt;

use kitsoki_ir::{Intent, Story};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use crate::lex::Lexer;
use crate::phrases::{Phrase, Phrases, Readiness};
use crate::slots::{Day, Parser};
use crate::template::{Template, TemplateError};
use crate::verdict::MatchKind;

/// A room, and the intents that it allows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Room {
    /// Its path.
    pub path: SmolStr,
    /// What it allows.
    pub allowed: Vec<SmolStr>,
}

/// Something odd.
#[derive(Clone, PartialEq, Debug)]
pub struct Oddity {
    /// The intent that it is about; none when it is about the story.
    pub intent: Option<SmolStr>,
    /// What.
    pub what: Odd,
}

/// What is odd.
#[derive(Clone, PartialEq, Debug)]
pub enum Odd {
    /// A template cannot be read, so that no phrase of the story is matched.
    Broken(TemplateError),
    /// The phrase has no word of content, so that it never matches.
    NoContent(SmolStr),
    /// Another intent, allowed in the same room, has a phrase of the same words.
    SameWords {
        /// The phrase.
        phrase: SmolStr,
        /// The other intent.
        other: SmolStr,
        /// Its phrase.
        theirs: SmolStr,
        /// A room that allows both.
        room: SmolStr,
        /// They are the same text, so that not even the exact text decides.
        exact: bool,
        /// How many more phrases of the two have the same words.
        more: usize,
    },
    /// The synonym is recognised and always passed on: the intent requires a slot, and no template fills it.
    NeverSubmits {
        /// The phrase.
        phrase: SmolStr,
        /// A required slot.
        slot: SmolStr,
    },
    /// The phrase fits, so that a template that would read a required slot from the same text is not tried.
    HidesTemplate {
        /// The phrase.
        phrase: SmolStr,
        /// The template.
        template: SmolStr,
    },
    /// Two captures of the template have no word between them, so that it never fits.
    NeverFits(SmolStr),
    /// Nothing can be read into the slot from words, so that the template always asks for it.
    Unreadable {
        /// The template.
        template: SmolStr,
        /// The slot.
        slot: SmolStr,
        /// Its type.
        ty: SmolStr,
    },
    /// Definitions of the intent in several rooms have different slots; its templates know those of the last one only.
    SlotsDiffer,
    /// An extra stop word that no word is ever equal to.
    StopWord(SmolStr),
}

impl Odd {
    /// A word for programs.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::Broken(_) => "broken",
            Self::NoContent(_) => "no-content",
            Self::SameWords { .. } => "same-words",
            Self::NeverSubmits { .. } => "never-submits",
            Self::HidesTemplate { .. } => "hides-template",
            Self::NeverFits(_) => "never-fits",
            Self::Unreadable { .. } => "unreadable",
            Self::SlotsDiffer => "slots-differ",
            Self::StopWord(_) => "stop-word",
        }
    }
}

impl fmt::Display for Odd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Broken(error) => write!(f, "no phrase of this story is matched: {error}"),
            Self::NoContent(phrase) => write!(f, "`{phrase}` never matches: it has only words without meaning"),
            Self::SameWords { phrase, other, theirs, room, exact, more } => {
                write!(f, "`{phrase}` has the words of `{theirs}` of {other}")?;
                if *more > 0 {
                    write!(f, ", and {more} more of its phrases have those of others")?;
                }
                write!(f, ": in {room} the person is asked which is meant")?;
                if *exact {
                    return Ok(());
                }
                f.write_str(", unless the text is exactly one of them")
            }
            Self::NeverSubmits { phrase, slot } => write!(
                f,
                "`{phrase}` is never submitted: the intent requires `{slot}`, and it has no template"
            ),
            Self::HidesTemplate { phrase, template } => write!(
                f,
                "`{phrase}` hides the template `{template}`: without the phrase the template would read the required slot"
            ),
            Self::NeverFits(template) => write!(f, "`{template}` never fits: two captures have no word between them"),
            Self::Unreadable { template, slot, ty } => write!(
                f,
                "`{template}` always asks for `{slot}`: words cannot fill a slot of type `{ty}`"
            ),
            Self::SlotsDiffer => f.write_str(
                "definitions of the intent in several rooms have different slots; its templates know those of the last one",
            ),
            Self::StopWord(word) => write!(
                f,
                "the extra stop word `{word}` never matches: write one word, in lower case"
            ),
        }
    }
}

/// What is odd, by intent.
#[must_use]
pub fn audit(story: &Story, phrases: &Phrases, rooms: &[Room]) -> Vec<Oddity> {
    let mut found = Vec::new();
    let mut odd = |intent: Option<&SmolStr>, what: Odd| {
        found.push(Oddity {
            intent: intent.cloned(),
            what,
        });
    };
    for word in &story.routing.stopwords_extra {
        if !is_word(word) {
            odd(None, Odd::StopWord(word.clone()));
        }
    }
    match phrases.readiness() {
        Readiness::Broken(error) => odd(Some(&error.intent), Odd::Broken(error.clone())),
        Readiness::Off | Readiness::Empty => {}
        Readiness::Ready => {
            for intent in &story.intents {
                let texts = intent.synonyms.iter().chain(&intent.examples);
                for text in texts.filter(|t| !t.contains(['{', '}']) && phrases.lexer().stems(t).is_empty()) {
                    odd(Some(&intent.name), Odd::NoContent(text.clone()));
                }
            }
            let definitions = definitions(story);
            same_words(phrases, rooms, &mut odd);
            for phrase in phrases.entries() {
                if let Some(definition) = definitions.get(&phrase.intent).and_then(|d| d.last()) {
                    passed_on(phrases, phrase, definition, &mut odd);
                }
            }
            for template in phrases.templates() {
                if let Some(all) = definitions.get(&template.intent) {
                    templates(template, all, &mut odd);
                }
            }
        }
    }
    found.sort_by(|a, b| a.intent.cmp(&b.intent));
    found.dedup();
    found
}

/// Whether a word of a text can be equal to it: as the word itself, or as a stem, which need not be a word.
fn is_word(word: &str) -> bool {
    let tokens = Lexer::default().tokens(word);
    matches!(tokens.as_slice(), [token] if token.surface == *word)
}

/// The definitions of every name, in the order in which they are pooled.
fn definitions(story: &Story) -> BTreeMap<&SmolStr, Vec<&Intent>> {
    let mut all: Vec<&Intent> = story.intents.iter().collect();
    all.sort_by_key(|i| i.scope.map(|room| story.path(room)));
    let mut by_name: BTreeMap<&SmolStr, Vec<&Intent>> = BTreeMap::new();
    for intent in all {
        by_name.entry(&intent.name).or_default().push(intent);
    }
    by_name
}

fn same_words(phrases: &Phrases, rooms: &[Room], odd: &mut impl FnMut(Option<&SmolStr>, Odd)) {
    let mut by_words: BTreeMap<Vec<&SmolStr>, Vec<&Phrase>> = BTreeMap::new();
    for phrase in phrases.entries() {
        let mut words: Vec<&SmolStr> = phrase.stems.iter().collect();
        words.sort_unstable();
        by_words.entry(words).or_default().push(phrase);
    }
    let allowed: Vec<(&SmolStr, FxHashSet<&SmolStr>)> = rooms
        .iter()
        .map(|room| (&room.path, room.allowed.iter().collect()))
        .collect();
    let room_of = |a: &SmolStr, b: &SmolStr| {
        let both = |names: &FxHashSet<&SmolStr>| names.contains(a) && names.contains(b);
        allowed
            .iter()
            .find(|(_, names)| both(names))
            .map(|(room, _)| (*room).clone())
    };
    // Two intents often share several phrases: one finding for the pair.
    let mut pairs: BTreeMap<(&SmolStr, &SmolStr), Option<Odd>> = BTreeMap::new();
    for same in by_words.values().filter(|same| same.len() > 1) {
        // Of every intent its first phrase stands for it.
        let mut first: Vec<&Phrase> = Vec::new();
        for phrase in same {
            if first.iter().all(|other| other.intent != phrase.intent) {
                first.push(phrase);
            }
        }
        for (at, one) in first.iter().enumerate() {
            for other in first.iter().skip(at + 1) {
                let pair = pairs.entry((&one.intent, &other.intent)).or_insert_with(|| {
                    Some(Odd::SameWords {
                        phrase: one.source.clone(),
                        other: other.intent.clone(),
                        theirs: other.source.clone(),
                        room: room_of(&one.intent, &other.intent)?,
                        exact: one.exact == other.exact,
                        more: usize::MAX,
                    })
                });
                if let Some(Odd::SameWords { more, .. }) = pair {
                    *more = more.wrapping_add(1);
                }
            }
        }
    }
    for ((intent, _), what) in pairs {
        if let Some(what) = what {
            odd(Some(intent), what);
        }
    }
}

fn passed_on(phrases: &Phrases, phrase: &Phrase, definition: &Intent, odd: &mut impl FnMut(Option<&SmolStr>, Odd)) {
    let Some(slot) = definition.required().next() else {
        return;
    };
    let own = || phrases.templates().iter().filter(|t| t.intent == phrase.intent);
    let words = phrases.lexer().tokens(&phrase.source);
    // Any day will do: whether there is a date does not depend on it.
    let today = Day::of_nanos(0);
    let hidden = own().find(|t| {
        t.read(&words, today)
            .is_ok_and(|filled| definition.required().all(|slot| filled.slots.contains_key(&slot.name)))
    });
    match hidden {
        Some(template) => odd(
            Some(&phrase.intent),
            Odd::HidesTemplate {
                phrase: phrase.source.clone(),
                template: template.source.clone(),
            },
        ),
        // An example may be there for people and models alone.
        None if phrase.kind == MatchKind::Synonym && own().next().is_none() => odd(
            Some(&phrase.intent),
            Odd::NeverSubmits {
                phrase: phrase.source.clone(),
                slot: slot.name.clone(),
            },
        ),
        None => {}
    }
}

fn templates(template: &Template, definitions: &[&Intent], odd: &mut impl FnMut(Option<&SmolStr>, Odd)) {
    let Some(last) = definitions.last() else { return };
    let intent = Some(&template.intent);
    if template.never_fits() {
        odd(intent, Odd::NeverFits(template.source.clone()));
    }
    for name in template.captures() {
        let Some(slot) = last.slot(name) else { continue };
        if matches!(Parser::of(slot), Parser::Never) {
            odd(
                intent,
                Odd::Unreadable {
                    template: template.source.clone(),
                    slot: slot.name.clone(),
                    ty: slot.ty.clone(),
                },
            );
        }
    }
    if definitions.iter().any(|other| other.slots != last.slots) {
        odd(intent, Odd::SlotsDiffer);
    }
}
