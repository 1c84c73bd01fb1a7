//! Rules: their names, levels and the registry that knows them all.

use kitsoki_syntax::Span;

use crate::model::{Diagnostic, Label};
use crate::suggest;

/// How bad a finding is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Level {
    /// The story is refused.
    Error,
    /// The story runs, but not as its author thinks.
    Warning,
    /// Worth knowing.
    Hint,
    /// Not reported.
    Off,
}

impl Level {
    /// The word in every output.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Level::Error => "error",
            Level::Warning => "warning",
            Level::Hint => "hint",
            Level::Off => "off",
        }
    }

    /// The level behind a word of a configuration: `error`, `warn` or `warning`, `hint`, `off` or `allow`.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        match word.trim().to_ascii_lowercase().as_str() {
            "error" | "deny" => Some(Level::Error),
            "warn" | "warning" => Some(Level::Warning),
            "hint" | "info" => Some(Level::Hint),
            "off" | "allow" | "ignore" => Some(Level::Off),
            _ => None,
        }
    }
}

/// Whether findings of a rule carry a fix.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fixable {
    /// Every one.
    Always,
    /// Where the right text is known.
    Sometimes,
    /// None.
    Never,
}

/// One rule. A constant in the rule's own file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rule {
    /// Its name: words with hyphens, stable for ever.
    pub id: &'static str,
    /// How bad a finding of it is by default.
    pub level: Level,
    /// What it is about, in half a sentence.
    pub summary: &'static str,
    /// Whether it offers fixes.
    pub fixable: Fixable,
}

impl Rule {
    /// A finding at `span`; `label` says what the underlined text is.
    #[must_use]
    pub fn at(&self, span: Span, label: impl Into<String>) -> Diagnostic {
        Diagnostic {
            primary: Some(Label {
                span,
                message: label.into(),
            }),
            ..self.nowhere()
        }
    }

    /// A finding without a place.
    #[must_use]
    pub fn nowhere(&self) -> Diagnostic {
        Diagnostic {
            rule: self.id,
            severity: self.level,
            message: self.summary.to_owned(),
            primary: None,
            labels: Vec::new(),
            notes: Vec::new(),
            helps: Vec::new(),
            fixes: Vec::new(),
            entrances: Vec::new(),
        }
    }
}

/// Every rule by its name.
#[derive(Clone, Debug, Default)]
pub struct Registry {
    rules: Vec<&'static Rule>,
}

impl Registry {
    /// A registry of `rules`; a name that stands twice is kept once.
    #[must_use]
    pub fn new(mut rules: Vec<&'static Rule>) -> Self {
        rules.sort_by_key(|r| r.id);
        rules.dedup_by_key(|r| r.id);
        Self { rules }
    }

    /// The rules, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = &'static Rule> {
        self.rules.iter().copied()
    }

    /// The rule called `id`.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<&'static Rule> {
        let at = self.rules.binary_search_by(|r| r.id.cmp(id)).ok()?;
        self.rules.get(at).copied()
    }

    /// The rule whose name `id` is probably a slip of.
    #[must_use]
    pub fn nearest(&self, id: &str) -> Option<&'static Rule> {
        let near = suggest::nearest(id, self.rules.iter().map(|r| r.id));
        self.get(near.first()?.word)
    }
}
