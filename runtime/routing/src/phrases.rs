//! The phrases of a story, compiled once: synonyms and examples as sets of stems, templates as sequences (`dispatch` 5.5).
//!
//! Definitions of one name, global and local to rooms, are pooled: a room's phrases route from everywhere the intent is
//! allowed. The slots of a pooled intent are those of the definition that comes last, globals first, then rooms by path.

use std::collections::{BTreeMap, BTreeSet};

use kitsoki_ir::{Intent, Story};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use crate::fold;
use crate::lex::{Lexer, content};
use crate::template::{Template, TemplateError};
use crate::verdict::MatchKind;

/// A synonym or example.
#[derive(Clone, Debug)]
pub struct Phrase {
    /// The intent that it means.
    pub intent: SmolStr,
    /// As the author wrote it.
    pub source: SmolStr,
    /// [`MatchKind::Synonym`] or [`MatchKind::Example`].
    pub kind: MatchKind,
    /// The distinct stems of its content; never none.
    pub stems: Vec<SmolStr>,
    /// The form in which exact texts are compared.
    pub exact: String,
}

impl Phrase {
    /// `synonym:…` or `example:…`.
    #[must_use]
    pub fn reason(&self) -> String {
        let kind = if self.kind == MatchKind::Example {
            "example"
        } else {
            "synonym"
        };
        format!("{kind}:{}", self.source)
    }
}

/// Why a story has no tier of phrases, when it has none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Readiness {
    /// It has one.
    Ready,
    /// Routing is switched off in the story.
    Off,
    /// There is no phrase anywhere.
    Empty,
    /// A template cannot be read.
    Broken(TemplateError),
}

/// The phrases of one story.
#[derive(Clone, Debug)]
pub struct Phrases {
    readiness: Readiness,
    lexer: Lexer,
    entries: Vec<Phrase>,
    by_stem: FxHashMap<SmolStr, Vec<u32>>,
    templates: Vec<Template>,
}

impl Phrases {
    /// Compiles the phrases of a story.
    #[must_use]
    pub fn new(story: &Story) -> Self {
        let mut phrases = Self {
            readiness: Readiness::Off,
            lexer: Lexer::new(&story.routing.stopwords_extra),
            entries: Vec::new(),
            by_stem: FxHashMap::default(),
            templates: Vec::new(),
        };
        if !story.routing.enabled {
            return phrases;
        }
        phrases.readiness = match phrases.compile(story) {
            Ok(()) if phrases.entries.is_empty() && phrases.templates.is_empty() => Readiness::Empty,
            Ok(()) => Readiness::Ready,
            Err(error) => Readiness::Broken(error),
        };
        phrases
    }

    fn compile(&mut self, story: &Story) -> Result<(), TemplateError> {
        for (name, pooled) in pool(story) {
            for synonym in pooled.synonyms {
                if synonym.contains(['{', '}']) {
                    self.templates
                        .push(Template::new(pooled.last, name, synonym, &self.lexer)?);
                } else {
                    self.add(name, synonym, MatchKind::Synonym);
                }
            }
            for example in pooled.examples {
                self.add(name, example, MatchKind::Example);
            }
        }
        Ok(())
    }

    fn add(&mut self, intent: &SmolStr, source: &SmolStr, kind: MatchKind) {
        let stems = content(&self.lexer.tokens(source));
        let Ok(id) = u32::try_from(self.entries.len()) else {
            return;
        };
        if stems.is_empty() {
            return;
        }
        for stem in &stems {
            self.by_stem.entry(stem.clone()).or_default().push(id);
        }
        self.entries.push(Phrase {
            intent: intent.clone(),
            source: source.clone(),
            kind,
            stems,
            exact: fold::exact(source),
        });
    }

    /// Whether there is a tier of phrases, and why not.
    #[must_use]
    pub fn readiness(&self) -> &Readiness {
        &self.readiness
    }

    /// How this story cuts texts into words.
    #[must_use]
    pub fn lexer(&self) -> &Lexer {
        &self.lexer
    }

    /// Synonyms and examples: by intent, synonyms first, each sorted.
    #[must_use]
    pub fn entries(&self) -> &[Phrase] {
        &self.entries
    }

    /// Templates: by intent, each sorted.
    #[must_use]
    pub fn templates(&self) -> &[Template] {
        &self.templates
    }

    /// The phrases that have at least one of these distinct stems, in order, with how many of them each has.
    #[must_use]
    pub fn sharing(&self, stems: &[SmolStr]) -> Vec<(&Phrase, usize)> {
        let mut shared: FxHashMap<u32, usize> = FxHashMap::default();
        for id in stems.iter().filter_map(|stem| self.by_stem.get(stem)).flatten() {
            *shared.entry(*id).or_default() += 1;
        }
        let mut shared: Vec<(u32, usize)> = shared.into_iter().collect();
        shared.sort_unstable();
        shared
            .into_iter()
            .filter_map(|(id, count)| Some((self.entries.get(id as usize)?, count)))
            .collect()
    }
}

/// The definitions of one name together.
struct Pooled<'a> {
    last: &'a Intent,
    synonyms: BTreeSet<&'a SmolStr>,
    examples: BTreeSet<&'a SmolStr>,
}

fn pool(story: &Story) -> BTreeMap<&SmolStr, Pooled<'_>> {
    let mut definitions: Vec<&Intent> = story.intents.iter().collect();
    definitions.sort_by_key(|i| i.scope.map(|room| story.path(room)));
    let mut pools: BTreeMap<&SmolStr, Pooled<'_>> = BTreeMap::new();
    for intent in definitions {
        let pooled = pools.entry(&intent.name).or_insert_with(|| Pooled {
            last: intent,
            synonyms: BTreeSet::new(),
            examples: BTreeSet::new(),
        });
        pooled.last = intent;
        pooled.synonyms.extend(&intent.synonyms);
        pooled.examples.extend(&intent.examples);
    }
    pools
}
