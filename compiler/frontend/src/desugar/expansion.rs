//! What every macro works on: the story so far, its names, and the way back to the author's text.

use std::cell::Cell;

use kitsoki_diagnostics::Diagnostic;
use kitsoki_syntax::{Span, TextRange};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use super::make::{Make, map_in};
use crate::db::Db;
use crate::rules::cx::place;
use crate::rules::words::did_you_mean;
use crate::story::Loaded;
use crate::surface::{Any, Intent, Text};

/// Missing names that are looked up among similar ones.
const SUGGESTED_NAMES: u32 = 100;

/// A story on its way through the macros.
pub(super) struct Expansion<'a> {
    pub db: &'a dyn Db,
    pub story: Loaded,
    /// Declared world keys, those that macros added included.
    world: FxHashSet<SmolStr>,
    /// Global intents, likewise.
    intents: FxHashSet<SmolStr>,
    /// How many names may still be compared with all others: a story full of mistakes must not cost their square.
    suggestions: Cell<u32>,
}

impl<'a> Expansion<'a> {
    pub fn new(db: &'a dyn Db, story: Loaded) -> Self {
        let world = story
            .manifest
            .world
            .iter()
            .flat_map(|w| w.entries.iter())
            .map(|e| e.name.text.clone());
        let intents = story
            .manifest
            .intents
            .iter()
            .flat_map(|i| i.entries.iter())
            .map(|e| e.name.text.clone());
        Self {
            world: world.collect(),
            intents: intents.collect(),
            suggestions: Cell::new(SUGGESTED_NAMES),
            db,
            story,
        }
    }

    /// The name that was probably meant.
    pub fn near<'n>(&self, name: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
        let left = self.suggestions.get().checked_sub(1)?;
        self.suggestions.set(left);
        did_you_mean(name, names)
    }

    pub fn report(&mut self, finding: Diagnostic) {
        self.story.findings.push(finding);
    }

    /// The place that stands for what comes from the program itself: the story's `app` key.
    pub fn home(&self) -> Span {
        let start = || Span::start_of(self.story.file.file_id(self.db));
        self.story.manifest.app.as_ref().map_or_else(start, |a| a.key)
    }

    /// The author's place of a whole text, without its quotes.
    pub fn inside(&self, text: &Text) -> Span {
        let len = u32::try_from(text.text.len()).unwrap_or(u32::MAX);
        self.place(text, 0..len)
    }

    /// The author's place of a part of a text.
    pub fn place(&self, text: &Text, range: std::ops::Range<u32>) -> Span {
        place(self.db, text, TextRange::new(range.start.into(), range.end.into()))
    }

    /// A name as its author spells it: inside an import without the alias.
    pub fn spelling(&self, text: &Text) -> String {
        if text.edits.is_none() || text.made.is_some() {
            return text.text.to_string();
        }
        self.slice(self.inside(text)).unwrap_or_else(|| text.text.to_string())
    }

    /// The author's text at a place.
    pub fn slice(&self, place: Span) -> Option<String> {
        let file = self.db.file_by_id(place.file)?;
        let source = file.contents(self.db).text()?;
        source
            .get(std::ops::Range::<usize>::from(place.range))
            .map(str::to_owned)
    }

    /// Whether a world key is declared.
    pub fn has_world(&self, name: &str) -> bool {
        self.world.contains(name)
    }

    /// Declares a world key unless the story has one of that name.
    pub fn declare_world(&mut self, name: Text, ty: &str, default: Any, make: Make) {
        if self.world.insert(name.text.clone()) {
            let var = make.world_var(ty, default);
            map_in(&mut self.story.manifest.world, make.site).push(name, var);
        }
    }

    pub fn has_intent(&self, name: &str) -> bool {
        self.intents.contains(name)
    }

    /// Declares a global intent unless the story has one of that name.
    pub fn declare_intent(&mut self, name: Text, site: Span, intent: impl FnOnce() -> Intent) {
        if self.intents.insert(name.text.clone()) {
            map_in(&mut self.story.manifest.intents, site).push(name, intent());
        }
    }
}
