//! The story as the rules see it: an edit of words that no rule reads changes nothing here, and no rule runs again.
//!
//! In a session of edits most changes are changes of prose: a description, the words of a view, a comment. Such a change is
//! found in the pieces of files ([`crate::db::chunks`]): everything but the inside of one scalar or comment is the same text.
//! Then what was said about the story before holds, in places of the earlier texts. [`Sources::in_present_texts`] leads from
//! those to the present ones, at the edge that shows places.

use std::sync::Arc;

use kitsoki_diagnostics::Diagnostic;
use kitsoki_syntax::{FileId, Parse, Span, Tree};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::db::chunks::ChunkKey;
use crate::db::{Db, SourceFile};
use crate::pipeline;
use crate::prose;
use crate::story::Loaded;
use crate::surface::{Field, Manifest, Map, Room};

/// A piece of a file as it was seen.
#[derive(Debug)]
pub(crate) struct Source {
    key: ChunkKey,
    text: Arc<str>,
    parse: Arc<Parse>,
}

impl Source {
    /// The text.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Its tree.
    pub(crate) fn tree(&self) -> &Tree {
        &self.parse.tree
    }

    fn version(&self) -> prose::Version<'_> {
        prose::Version {
            text: &self.text,
            parse: &self.parse,
        }
    }
}

impl PartialEq for Source {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.text, &other.text) || self.text == other.text
    }
}

/// Pieces of files by their number in spans.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Sources(FxHashMap<FileId, Arc<Source>>);

impl Sources {
    /// The piece of a number.
    pub(crate) fn get(&self, file: FileId) -> Option<&Source> {
        self.0.get(&file).map(|source| &**source)
    }

    /// Whether every piece of `other` has the same text here.
    pub(crate) fn hold(&self, other: &Self) -> bool {
        let same = |a: &Arc<Source>, b: &Arc<Source>| Arc::ptr_eq(a, b) || a == b;
        other
            .0
            .iter()
            .all(|(id, s)| self.0.get(id).is_some_and(|own| same(own, s)))
    }

    /// The pieces for which `keep` holds.
    pub(crate) fn only(&self, keep: impl Fn(FileId, &str) -> bool) -> Self {
        let kept = self.0.iter().filter(|(id, s)| keep(**id, &s.key.section));
        Self(kept.map(|(id, s)| (*id, s.clone())).collect())
    }
}

/// A story with the pieces of text that its places belong to.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    /// The story.
    pub(crate) story: Arc<Loaded>,
    /// The pieces of its files that are edited.
    pub(crate) sources: Sources,
}

impl Seen {
    /// A story outside of a session of edits.
    pub(crate) fn once(story: Arc<Loaded>) -> Self {
        Self {
            story,
            sources: Sources::default(),
        }
    }
}

/// The story of a root as rules see it.
#[salsa::tracked(returns(ref), lru = 8)]
pub(crate) fn seen(db: &dyn Db, root: SourceFile) -> Seen {
    let story = pipeline::story(db, root).clone();
    let edited = story.files.iter().filter(|file| file.edited(db));
    let pieces = edited.flat_map(|file| file.chunks(db).iter());
    let sources = pieces.filter_map(|piece| Some((piece.file_id(db), source(db, *piece).clone()?)));
    let sources = Sources(sources.collect());
    Seen { story, sources }
}

/// A piece of a file that is edited.
#[salsa::tracked(returns(ref), no_eq)]
fn source(db: &dyn Db, piece: SourceFile) -> Option<Arc<Source>> {
    let (_, key) = piece.home(db).as_ref()?;
    Some(Arc::new(Source {
        key: key.clone(),
        text: piece.contents(db).text()?.clone(),
        parse: pipeline::parse(db, piece).clone(),
    }))
}

impl PartialEq for Seen {
    /// Whether rules say the same about both.
    fn eq(&self, other: &Self) -> bool {
        if self.sources.0.len() != other.sources.0.len() {
            return false;
        }
        let mut edited = FxHashSet::default();
        for (id, a) in &self.sources.0 {
            let Some(b) = other.sources.0.get(id) else { return false };
            if Arc::ptr_eq(a, b) || a == b {
                continue;
            }
            if a.key != b.key || !prose::only(&a.key, a.version(), &b.text, || &*b.parse) {
                return false;
            }
            edited.insert(*id);
        }
        Arc::ptr_eq(&self.story, &other.story) || same_story(&self.story, &other.story, &edited)
    }
}

impl Sources {
    /// The place in the present text of a piece for a place in the text that was seen.
    fn moved(&self, db: &dyn Db, span: Span) -> Span {
        let Some(source) = self.get(span.file) else {
            return span;
        };
        let now = db.file_by_id(span.file);
        let Some(now) = now.and_then(|f| f.contents(db).text()) else {
            return span;
        };
        if Arc::ptr_eq(now, &source.text) || *now == source.text {
            return span;
        }
        Span::new(span.file, prose::moved(&source.text, now, span.range))
    }

    /// A finding with all its places in the present texts.
    pub(crate) fn in_present_texts(&self, db: &dyn Db, finding: Diagnostic) -> Diagnostic {
        if self.0.is_empty() {
            return finding;
        }
        finding.map_spans(|span| self.moved(db, span))
    }
}

/// Whether two stories differ in nothing but declarations that stand in edited pieces.
fn same_story(a: &Loaded, b: &Loaded, edited: &FxHashSet<FileId>) -> bool {
    let (x, y) = (&a.manifest, &b.manifest);
    let bare = |m: &Manifest| Manifest {
        app: None,
        states: None,
        world: None,
        intents: None,
        agents: None,
        exits: None,
        host_interfaces: None,
        operations: None,
        meta_modes: None,
        off_path: None,
        ..m.clone()
    };
    let moved = |a: Span, b: Span| a.file == b.file && edited.contains(&a.file);
    macro_rules! unmoved {
        ($same:ident, $($section:ident),*) => {
            $($same(&x.$section, &y.$section, &|a, b| a == b || moved(a.span, b.span)))&&*
        };
    }
    a.file == b.file
        && a.dir == b.dir
        && a.files == b.files
        && a.manifests == b.manifests
        && a.wrappers == b.wrappers
        && a.scripts == b.scripts
        && a.findings == b.findings
        && a.incomplete == b.incomplete
        && a.folded == b.folded
        && unmoved!(same_block, app, off_path)
        && unmoved!(
            same_map,
            world,
            intents,
            agents,
            exits,
            host_interfaces,
            operations,
            meta_modes
        )
        && same_map(&x.states, &y.states, &|a, b| same_room(a, b, edited))
        && bare(x) == bare(y)
}

fn same_room(a: &Arc<Room>, b: &Arc<Room>, edited: &FxHashSet<FileId>) -> bool {
    if Arc::ptr_eq(a, b) || (a.span.file == b.span.file && edited.contains(&a.span.file)) || a == b {
        return true;
    }
    let shell = |room: &Room| Room {
        states: None,
        ..room.clone()
    };
    a.states.is_some() && same_map(&a.states, &b.states, &|a, b| same_room(a, b, edited)) && shell(a) == shell(b)
}

fn same_block<T>(a: &Option<Field<T>>, b: &Option<Field<T>>, same: &dyn Fn(&T, &T) -> bool) -> bool {
    match (a, b) {
        (None, None) => true,
        (Some(a), Some(b)) => a.key == b.key && same(&a.value, &b.value),
        _ => false,
    }
}

/// The end of a whole section moves with every edit inside of it: nobody looks at it.
fn same_map<T>(a: &Option<Field<Map<T>>>, b: &Option<Field<Map<T>>>, same: &dyn Fn(&T, &T) -> bool) -> bool {
    match (a, b) {
        (None, None) => true,
        (Some(a), Some(b)) => {
            let (x, y) = (&a.value.entries, &b.value.entries);
            a.key == b.key
                && (x.same(y)
                    || (x.len() == y.len()
                        && x.iter()
                            .zip(y.iter())
                            .all(|(x, y)| x.name == y.name && x.null == y.null && same(&x.value, &y.value))))
        }
        _ => false,
    }
}
