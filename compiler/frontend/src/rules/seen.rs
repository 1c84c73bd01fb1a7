//! The story as the rules see it: an edit of words that no rule reads changes nothing here, and no rule runs again.
//!
//! In a session of edits most changes are changes of prose: a description, the words of a view, a comment. Such a change is
//! found in the pieces of files ([`crate::db::chunks`]): everything but the inside of one scalar or comment is the same text.
//! Then what was said about the story before holds, in places of the earlier texts. [`Sources::in_present_texts`] leads from
//! those to the present ones, at the edge that shows places.

use std::ops::Range;
use std::sync::Arc;

use kitsoki_diagnostics::Diagnostic;
use kitsoki_syntax::{FileId, NodeId, NodeKind, Parse, Resolved, Span, TextRange, TextSize, Tree};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use crate::db::{Db, SourceFile};
use crate::pipeline;
use crate::story::Loaded;
use crate::surface::{Field, Manifest, Map, Room};

/// A piece of a file with its tree.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    section: SmolStr,
    text: Arc<str>,
    parse: Arc<Parse>,
}

impl Source {
    /// The text and its tree.
    pub(crate) fn parts(&self) -> (&Arc<str>, &Tree) {
        (&self.text, &self.parse.tree)
    }
}

impl PartialEq for Source {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.text, &other.text) || self.text == other.text
    }
}

/// Pieces of files by their number in spans.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Sources(FxHashMap<FileId, Source>);

impl Sources {
    /// The piece of a number.
    pub(crate) fn get(&self, file: FileId) -> Option<&Source> {
        self.0.get(&file)
    }

    /// Whether every piece of `other` has the same text here.
    pub(crate) fn hold(&self, other: &Self) -> bool {
        other.0.iter().all(|(id, s)| self.get(*id) == Some(s))
    }

    /// The pieces for which `keep` holds.
    pub(crate) fn only(&self, keep: impl Fn(FileId, &str) -> bool) -> Self {
        let kept = self.0.iter().filter(|(id, s)| keep(**id, &s.section));
        Self(kept.map(|(id, s)| (*id, s.clone())).collect())
    }
}

/// A story with the pieces of text that its places belong to.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    /// The story.
    pub(crate) story: Arc<Loaded>,
    /// Its pieces; none outside of a session of edits.
    pub(crate) sources: Sources,
}

/// The story of a root as rules see it.
#[salsa::tracked(returns(ref))]
pub(crate) fn seen(db: &dyn Db, root: SourceFile) -> Seen {
    let story = pipeline::story(db, root).clone();
    let mut sources = FxHashMap::default();
    for piece in story.files.iter().flat_map(|f| f.chunks(db).iter()) {
        let (Some((_, key)), Some(text)) = (piece.home(db), piece.contents(db).text()) else {
            continue;
        };
        let source = Source {
            section: key.section.clone(),
            text: text.clone(),
            parse: pipeline::parse(db, *piece).clone(),
        };
        sources.insert(piece.file_id(db), source);
    }
    Seen {
        story,
        sources: Sources(sources),
    }
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
            if Arc::ptr_eq(&a.text, &b.text) || a.text == b.text {
                continue;
            }
            if !is_prose(a, b) {
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
        let (before, after) = difference(&source.text, now);
        // Positions behind the change keep their distance to the end.
        let at = |offset: TextSize| {
            let offset = usize::from(offset);
            let moved = if offset >= before.end && offset > before.start {
                offset - before.end + after.end
            } else {
                offset.min(after.end)
            };
            TextSize::new(u32::try_from(moved).unwrap_or(u32::MAX))
        };
        let (start, end) = (at(span.range.start()), at(span.range.end()));
        Span::new(span.file, TextRange::new(start, end.max(start)))
    }

    /// A finding with all its places in the present texts.
    pub(crate) fn in_present_texts(&self, db: &dyn Db, finding: Diagnostic) -> Diagnostic {
        if self.0.is_empty() {
            return finding;
        }
        finding.map_spans(|span| self.moved(db, span))
    }
}

/// The parts in which two texts differ.
fn difference(a: &str, b: &str) -> (Range<usize>, Range<usize>) {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let head = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let most = a.len().min(b.len()) - head;
    let tail = a
        .iter()
        .rev()
        .zip(b.iter().rev())
        .take(most)
        .take_while(|(x, y)| x == y);
    let tail = tail.count();
    (head..a.len() - tail, head..b.len() - tail)
}

/// Whether two texts of a piece differ inside of one comment or of one text that no rule reads.
fn is_prose(a: &Source, b: &Source) -> bool {
    if !a.parse.faults.is_empty() || !b.parse.faults.is_empty() {
        return false;
    }
    let (old, new) = difference(&a.text, &b.text);
    in_comment(a, &old, b, &new) || in_scalar(a, &old, b, &new)
}

fn in_comment(a: &Source, old: &Range<usize>, b: &Source, new: &Range<usize>) -> bool {
    let around = |s: &Source, part: &Range<usize>| {
        let comments = s.parse.tree.comments().iter();
        let mut holds = comments.map(|c| Range::<usize>::from(*c));
        holds.find(|c| c.start < part.start && part.end <= c.end)
    };
    match (around(a, old), around(b, new)) {
        (Some(x), Some(y)) => x.start == y.start && x.end - old.end == y.end - new.end,
        _ => false,
    }
}

/// Keys of texts that are shown and mean nothing, by section; under the last ones they are data.
fn prose_keys(section: &str) -> Option<(&'static [&'static str], &'static [&'static str])> {
    Some(match section {
        "states" => (
            &[
                "description",
                "view",
                "prose",
                "heading",
                "code",
                "say",
                "guard_hint",
                "title",
                "summary",
                "help",
                "hint",
                "label",
                "subtitle",
                "caption",
            ],
            &[
                "with",
                "set",
                "slots",
                "bind",
                "increment",
                "default",
                "context_args",
                "world",
                "persist_draft",
                "pairs",
            ],
        ),
        "intents" => (&["title", "description"], &["default", "values", "synonyms"]),
        "world" => (&["description"], &["default", "values"]),
        "agents" => (&["description", "system_prompt"], &[]),
        _ => return None,
    })
}

/// Marks of templates, and what the fold of an import rewrites in any text.
const MARKS: [&str; 10] = [
    "{",
    "}",
    "%",
    "$",
    "world.",
    "slots.",
    "available(",
    "blocked(",
    "blocked_reason(",
    "intent_status(",
];

fn in_scalar(a: &Source, old: &Range<usize>, b: &Source, new: &Range<usize>) -> bool {
    let Some((keys, data)) = prose_keys(&a.section) else {
        return false;
    };
    let (Some(x), Some(y)) = (scalar(a, old), scalar(b, new)) else {
        return false;
    };
    let same_frame = x.range.start == y.range.start
        && x.range.end - old.end == y.range.end - new.end
        && a.text.as_bytes().get(x.range.start) == b.text.as_bytes().get(y.range.start)
        && x.keys == y.keys;
    let shown =
        x.keys.last().is_some_and(|k| keys.contains(&k.as_str())) && !x.keys.iter().any(|k| data.contains(&k.as_str()));
    same_frame && shown && is_plain(&a.text, &x.range, old) && is_plain(&b.text, &y.range, new)
}

/// A text, and the keys that lead to it.
struct Scalar {
    range: Range<usize>,
    keys: Vec<SmolStr>,
}

/// The text around a part of a piece; the part does not begin where the text begins.
fn scalar(source: &Source, part: &Range<usize>) -> Option<Scalar> {
    let tree = &source.parse.tree;
    let path = tree.node_at(TextSize::new(u32::try_from(part.start).ok()?));
    let node = *path.last()?;
    let range = Range::<usize>::from(tree.node(node).range);
    let is_text = matches!(tree.node(node).kind, NodeKind::Scalar(_)) && matches!(tree.value(node), Resolved::Str(_));
    let blank = tree.as_string(node).is_ok_and(|t| t.trim().is_empty());
    let inside = range.start < part.start && part.end <= range.end;
    let keys = path.windows(2).filter_map(|pair| match pair {
        [outer, inner] => key_of(tree, *outer, *inner),
        _ => None,
    });
    (is_text && !blank && inside).then(|| Scalar {
        range,
        keys: keys.collect(),
    })
}

/// The key of `outer` whose value is `inner`. A key itself is no value: it has an empty name here.
fn key_of(tree: &Tree, outer: NodeId, inner: NodeId) -> Option<SmolStr> {
    if !matches!(tree.node(outer).kind, NodeKind::Mapping(_)) {
        return None;
    }
    let entry = tree.entries(outer).into_iter().find(|e| e.value == inner);
    Some(entry.and_then(|e| tree.as_string(e.key).ok()).unwrap_or_default())
}

/// Whether the words around a part are words and nothing else, outside of every template.
fn is_plain(text: &str, scalar: &Range<usize>, part: &Range<usize>) -> bool {
    let (Some(before), Some(after)) = (text.get(scalar.start..part.start), text.get(part.end..scalar.end)) else {
        return false;
    };
    let Some(changed) = text.get(part.clone()) else {
        return false;
    };
    let open = ["{{", "{%", "{#"].iter().filter_map(|m| before.rfind(m)).max();
    let closed = ["}}", "%}", "#}"].iter().filter_map(|m| before.rfind(m)).max();
    if open.is_some_and(|o| closed.is_none_or(|c| c < o)) {
        return false;
    }
    let head = before.rsplit(char::is_whitespace).next().unwrap_or_default();
    let tail = after.split(char::is_whitespace).next().unwrap_or_default();
    let words = format!("{head}{changed}{tail}");
    !MARKS.iter().any(|m| words.contains(m))
}

/// Whether two stories differ in nothing but declarations that stand in edited pieces.
fn same_story(a: &Loaded, b: &Loaded, edited: &FxHashSet<FileId>) -> bool {
    let (x, y) = (&a.manifest, &b.manifest);
    let bare = |m: &Manifest| Manifest {
        states: None,
        world: None,
        intents: None,
        agents: None,
        ..m.clone()
    };
    let moved = |a: Span, b: Span| a.file == b.file && edited.contains(&a.file);
    a.file == b.file
        && a.dir == b.dir
        && a.files == b.files
        && a.manifests == b.manifests
        && a.wrappers == b.wrappers
        && a.scripts == b.scripts
        && a.findings == b.findings
        && a.incomplete == b.incomplete
        && a.folded == b.folded
        && same_map(&x.world, &y.world, &|a, b| a == b || moved(a.span, b.span))
        && same_map(&x.intents, &y.intents, &|a, b| a == b || moved(a.span, b.span))
        && same_map(&x.agents, &y.agents, &|a, b| a == b || moved(a.span, b.span))
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
