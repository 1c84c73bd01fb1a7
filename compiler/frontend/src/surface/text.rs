//! The leaves of the surface story: texts, flags and numbers with their places, and the containers around them.

use std::sync::Arc as Shared;

use kitsoki_syntax::{Span, TextRange, TextSize};
use smol_str::SmolStr;

use super::items::Items;

/// Which part of the compiler made a node that nobody wrote.
///
/// The words are shown in `compile` output and in findings (`language` 1.2, `macros` 1).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Made {
    /// The fold of an import: wrapper, resets, `world_in` setters, exit projections.
    Import,
    /// `phases:` and its templates.
    Phases,
    /// `workbench:`.
    Workbench,
    /// `agent_off_ramp.capture_free_text`.
    Capture,
    /// The free-form fallback.
    Fallback,
    /// The built-in story-authoring room.
    StoryAuthoring,
    /// The built-in meta modes.
    MetaModes,
    /// A standalone exit.
    Exit,
    /// Interface resolution and default plugins.
    Builtin,
}

impl Made {
    /// The word for people: the key or mechanism that made the node.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Made::Import => "import",
            Made::Phases => "phases",
            Made::Workbench => "workbench",
            Made::Capture => "capture_free_text",
            Made::Fallback => "free_form_fallback",
            Made::StoryAuthoring => "story authoring",
            Made::MetaModes => "meta modes",
            Made::Exit => "exit",
            Made::Builtin => "built-in",
        }
    }
}

/// Where a node comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Origin {
    /// The author wrote it.
    #[default]
    Written,
    /// A macro or the fold made it, because of what stands at `site`.
    Macro {
        /// Which mechanism.
        made: Made,
        /// The author's text that caused it.
        site: Span,
    },
}

impl Origin {
    /// `true` for a node that stands in a file as it is.
    #[must_use]
    pub fn is_written(self) -> bool {
        self == Origin::Written
    }
}

/// A place that no file has, for tests.
#[cfg(test)]
#[must_use]
pub(crate) fn nowhere() -> Span {
    Span::start_of(kitsoki_syntax::FileId(u32::MAX))
}

/// One replacement that a fold or a macro made inside of a text.
///
/// Offsets are bytes of the *decoded* text. `at..at + new_len` of the present text stands where `src..src + old_len`
/// stood in the author's.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Edit {
    /// Start in the present text.
    pub at: u32,
    /// Length in the present text.
    pub new_len: u32,
    /// Start in the author's text.
    pub src: u32,
    /// Length in the author's text.
    pub old_len: u32,
}

/// A scalar read as text: what it is now, where the author wrote it, and what was renamed inside.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Text {
    /// The present text: as written, or after folding and macros.
    pub text: SmolStr,
    /// The scalar in the author's file, quotes included; for a made text the place that caused it.
    pub span: Span,
    /// `Some` when the compiler made this text.
    pub made: Option<Made>,
    /// Replacements since the author's text, in ascending order; `None` when it is as written.
    pub edits: Option<Shared<Box<[Edit]>>>,
}

impl Text {
    /// A text as written at `span`.
    #[must_use]
    pub fn new(text: impl Into<SmolStr>, span: Span) -> Self {
        Self {
            text: text.into(),
            span,
            made: None,
            edits: None,
        }
    }

    /// A text that the compiler makes because of `site`.
    #[must_use]
    pub fn made(text: impl Into<SmolStr>, made: Made, site: Span) -> Self {
        Self {
            text: text.into(),
            span: site,
            made: Some(made),
            edits: None,
        }
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.text.as_str()
    }

    /// `true` for an empty text or one of white space only: what the language calls "blank".
    #[must_use]
    pub fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// `true` when the text holds template braces `{{` (not `{%`).
    #[must_use]
    pub fn is_templated(&self) -> bool {
        kitsoki_expr::has_braces(&self.text)
    }

    /// The same place with another text, of which nothing is known about its inside.
    #[must_use]
    pub fn with_text(&self, text: impl Into<SmolStr>) -> Self {
        let text = text.into();
        let whole = Edit {
            at: 0,
            new_len: u32::try_from(text.len()).unwrap_or(u32::MAX),
            src: 0,
            old_len: u32::try_from(self.source_len()).unwrap_or(u32::MAX),
        };
        Self {
            text,
            span: self.span,
            made: self.made,
            edits: Some(Shared::new(Box::new([whole]))),
        }
    }

    /// Length in bytes of the author's decoded text.
    fn source_len(&self) -> usize {
        let Some(edits) = &self.edits else {
            return self.text.len();
        };
        let grown: i64 = edits.iter().map(|e| i64::from(e.new_len) - i64::from(e.old_len)).sum();
        usize::try_from(i64::try_from(self.text.len()).unwrap_or(0) - grown).unwrap_or(0)
    }

    /// Replaces byte ranges of the present text (ascending, not overlapping) and keeps the way back to the author's.
    #[must_use]
    pub fn replaced(&self, replacements: &[(std::ops::Range<usize>, String)]) -> Self {
        if replacements.is_empty() {
            return self.clone();
        }
        let old = self.text.as_str();
        let mut text = String::with_capacity(old.len() + 16);
        let mut edits: Vec<Edit> = Vec::with_capacity(replacements.len() + self.edits.as_ref().map_or(0, |e| e.len()));
        let mut done = 0usize;
        let mut before = self.edits.iter().flat_map(|e| e.iter()).copied().peekable();
        let small = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let mut shift: i64 = 0;
        let moved = |e: Edit, shift: i64| Edit {
            at: u32::try_from(i64::from(e.at) + shift).unwrap_or(0),
            ..e
        };
        for (range, new) in replacements {
            let (Some(kept), Some(_)) = (old.get(done..range.start), old.get(range.clone())) else {
                continue;
            };
            while let Some(e) = before.next_if(|e| (e.at + e.new_len) as usize <= range.start) {
                edits.push(moved(e, shift));
            }
            // Earlier replacements inside of this one are swallowed by it.
            let mut src_start = self.to_source(range.start);
            let mut src_end = self.to_source(range.end);
            while let Some(e) = before.next_if(|e| (e.at as usize) < range.end) {
                src_start = src_start.min(e.src as usize);
                src_end = src_end.max((e.src + e.old_len) as usize);
            }
            text.push_str(kept);
            edits.push(Edit {
                at: small(text.len()),
                new_len: small(new.len()),
                src: small(src_start),
                old_len: small(src_end.saturating_sub(src_start)),
            });
            text.push_str(new);
            shift += i64::try_from(new.len()).unwrap_or(0) - i64::try_from(range.len()).unwrap_or(0);
            done = range.end;
        }
        edits.extend(before.map(|e| moved(e, shift)));
        text.push_str(old.get(done..).unwrap_or_default());
        Self {
            text: text.into(),
            span: self.span,
            made: self.made,
            edits: Some(Shared::new(edits.into())),
        }
    }

    /// The offset in the author's decoded text for an offset of the present text.
    #[must_use]
    pub fn to_source(&self, offset: usize) -> usize {
        let Some(edits) = &self.edits else { return offset };
        let mut shift: i64 = 0;
        for e in edits.iter() {
            let (at, end) = (e.at as usize, (e.at + e.new_len) as usize);
            if offset <= at {
                break;
            }
            if offset < end {
                // Inside of a replacement there is no finer truth than its ends.
                return if e.new_len == e.old_len {
                    e.src as usize + (offset - at)
                } else {
                    e.src as usize
                };
            }
            shift = i64::from(e.src + e.old_len) - i64::try_from(end).unwrap_or(0);
        }
        usize::try_from(i64::try_from(offset).unwrap_or(0) + shift).unwrap_or(0)
    }

    /// The range of the author's decoded text for a range of the present text; a touched replacement counts whole.
    #[must_use]
    pub fn to_source_range(&self, range: TextRange) -> TextRange {
        let Some(edits) = &self.edits else { return range };
        let (start, end) = (usize::from(range.start()), usize::from(range.end()));
        let mut from = self.to_source(start);
        let mut to = self.to_source(end);
        for e in edits.iter() {
            let (at, stop) = (e.at as usize, (e.at + e.new_len) as usize);
            if at < end && start < stop {
                from = from.min(e.src as usize);
                to = to.max((e.src + e.old_len) as usize);
            }
        }
        let size = |n: usize| TextSize::new(u32::try_from(n).unwrap_or(u32::MAX));
        TextRange::new(size(from), size(to.max(from)))
    }
}

/// A truth value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Flag {
    /// The value.
    pub value: bool,
    /// The scalar.
    pub span: Span,
}

/// An integer (`language` 2.4).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Int {
    /// The value after conversion.
    pub value: i64,
    /// The scalar.
    pub span: Span,
}

/// A floating-point number (`language` 2.4).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Float {
    /// The value after conversion.
    pub value: f64,
    /// The scalar.
    pub span: Span,
}

/// A list with its brackets' or lines' place.
#[derive(Clone, PartialEq, Debug)]
pub struct List<T> {
    /// The items in order.
    pub items: Items<T>,
    /// The whole list.
    pub span: Span,
}

impl<T> List<T> {
    /// A list that the compiler makes.
    #[must_use]
    pub fn made(items: Vec<T>, site: Span) -> Self {
        Self {
            items: items.into(),
            span: site,
        }
    }

    /// The same, to be shared by several places.
    #[must_use]
    pub fn shared(items: Vec<T>, site: Span) -> Shared<Self> {
        Shared::new(Self::made(items, site))
    }
}

impl<T> std::ops::Deref for List<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.items
    }
}

/// A mapping whose keys are the author's names, in the order of declaration.
#[derive(Clone, PartialEq, Debug)]
pub struct Map<T> {
    /// The entries; no name stands twice.
    pub entries: Items<MapEntry<T>>,
    /// The whole mapping.
    pub span: Span,
}

/// One entry of a [`Map`].
#[derive(Clone, PartialEq, Debug)]
pub struct MapEntry<T> {
    /// The key as text.
    pub name: Text,
    /// The value; the empty one of its kind when `null`.
    pub value: T,
    /// The author wrote nothing (or `null`) behind the key.
    pub null: bool,
    /// What the author wrote could not be read and was reported: what the value lacks is not missing.
    pub broken: bool,
}

impl<T> Map<T> {
    /// An empty mapping that the compiler makes.
    #[must_use]
    pub fn made(site: Span) -> Self {
        Self {
            entries: Items::new(),
            span: site,
        }
    }

    /// The entry called `name`.
    #[must_use]
    pub fn entry(&self, name: &str) -> Option<&MapEntry<T>> {
        self.entries.iter().find(|e| e.name.as_str() == name)
    }

    /// The value called `name`.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&T> {
        self.entry(name).map(|e| &e.value)
    }

    /// `true` when an entry is called `name`.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.entry(name).is_some()
    }

    /// The names in order of declaration.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|e| e.name.as_str())
    }

    /// The entries sorted by name, as the reference visits them.
    #[must_use]
    pub fn sorted(&self) -> Vec<&MapEntry<T>> {
        let mut all: Vec<_> = self.entries.iter().collect();
        all.sort_by(|a, b| a.name.as_str().cmp(b.name.as_str()));
        all
    }

    /// Adds an entry at the end.
    pub fn push(&mut self, name: Text, value: T)
    where
        T: Clone,
    {
        self.entries.push(MapEntry {
            name,
            value,
            null: false,
            broken: false,
        });
    }
}

impl<'a, T> IntoIterator for &'a Map<T> {
    type Item = &'a MapEntry<T>;
    type IntoIter = std::slice::Iter<'a, MapEntry<T>>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.iter()
    }
}

impl<'a, T> IntoIterator for &'a List<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(s: &str) -> Text {
        Text::new(s, Span::start_of(kitsoki_syntax::FileId(0)))
    }

    fn range(a: usize, b: usize) -> TextRange {
        TextRange::new(TextSize::new(a as u32), TextSize::new(b as u32))
    }

    #[test]
    fn a_replacement_leads_back_to_the_authors_text() {
        let t = text("world.n > world.m").replaced(&[(6..7, "k__n".into()), (16..17, "k__m".into())]);
        assert_eq!(t.as_str(), "world.k__n > world.k__m");
        assert_eq!(t.to_source_range(range(6, 10)), range(6, 7));
        assert_eq!(t.to_source_range(range(11, 12)), range(8, 9));
        assert_eq!(t.to_source_range(range(19, 23)), range(16, 17));
        assert_eq!(t.to_source(t.text.len()), 17);
    }

    #[test]
    fn a_second_replacement_at_the_same_place_swallows_the_first() {
        let once = text("a world.n b").replaced(&[(8..9, "k__n".into())]);
        let twice = once.replaced(&[(8..12, "top__k__n".into())]);
        assert_eq!(twice.as_str(), "a world.top__k__n b");
        assert_eq!(twice.to_source_range(range(8, 17)), range(8, 9));
        assert_eq!(twice.to_source_range(range(18, 19)), range(10, 11));
    }

    #[test]
    fn replacements_around_an_earlier_one_keep_it() {
        let once = text("x world.n y").replaced(&[(8..9, "k__n".into())]);
        let twice = once.replaced(&[(0..1, "long".into()), (13..14, "z".into())]);
        assert_eq!(twice.as_str(), "long world.k__n z");
        assert_eq!(twice.to_source_range(range(11, 15)), range(8, 9));
        assert_eq!(twice.to_source_range(range(16, 17)), range(10, 11));
        assert_eq!(twice.to_source_range(range(0, 4)), range(0, 1));
    }
}
