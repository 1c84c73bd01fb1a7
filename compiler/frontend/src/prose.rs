//! Words that mean nothing to the compiler: descriptions, the prose of views, comments.
//!
//! Most keys that an author presses change such words. Two texts of one piece that differ in nothing else have the same
//! findings, in places that moved with the text. [`crate::db`] uses this to leave an edit for later,
//! [`crate::rules::seen`] to run no rule again.

use std::borrow::Borrow;
use std::ops::Range;

use kitsoki_syntax::{NodeId, NodeKind, Parse, Resolved, TextRange, TextSize, Tree};
use smol_str::SmolStr;

use crate::db::chunks::ChunkKey;

/// One text of a piece of a file, with its tree.
#[derive(Clone, Copy)]
pub(crate) struct Version<'a> {
    /// The text.
    pub(crate) text: &'a str,
    /// Its tree.
    pub(crate) parse: &'a Parse,
}

/// Whether two texts of a piece differ inside of one comment or of one text that no rule reads. The second one is read only
/// when that may be so by the first: reading a long piece costs more than looking where it changed.
pub(crate) fn only<P: Borrow<Parse>>(key: &ChunkKey, a: Version<'_>, b: &str, read: impl FnOnce() -> P) -> bool {
    let (old, new) = difference(a.text, b);
    let (first, last) = first_place(a.text, &old, b, &new);
    if !a.parse.faults.is_empty() || !(may_be_words(key, a, &old) || may_be_words(key, a, &first)) {
        return false;
    }
    let parse = read();
    let b = Version {
        text: b,
        parse: parse.borrow(),
    };
    b.parse.faults.is_empty()
        && (parts_are_words(key, a, &old, b, &new) || (first != old && parts_are_words(key, a, &first, b, &last)))
}

/// Whether a part of a text may be words: it stands in a comment, in a text that no rule reads, or in no scalar.
fn may_be_words(key: &ChunkKey, version: Version<'_>, part: &Range<usize>) -> bool {
    comment(version, part).is_some() || scalar(key, version, part).is_none_or(|s| s.is_text && is_shown(&s.path))
}

fn parts_are_words(key: &ChunkKey, a: Version<'_>, old: &Range<usize>, b: Version<'_>, new: &Range<usize>) -> bool {
    in_comment(a, old, b, new)
        || match (scalar(key, a, old), scalar(key, b, new)) {
            (Some(x), Some(y)) => in_scalar((a.text, &x, old), (b.text, &y, new)),
            _ => at_line_end(a.text, old) && at_line_end(b.text, new),
        }
}

/// The range in `now` of what stood at `range` in `before`, when the two differ in one place.
pub(crate) fn moved(before: &str, now: &str, range: TextRange) -> TextRange {
    let (old, new) = difference(before, now);
    // Positions behind the change keep their distance to the end.
    let at = |offset: TextSize| {
        let offset = usize::from(offset);
        let moved = if offset >= old.end && offset > old.start {
            offset - old.end + new.end
        } else {
            offset.min(new.end)
        };
        TextSize::new(u32::try_from(moved).unwrap_or(u32::MAX))
    };
    let (start, end) = (at(range.start()), at(range.end()));
    TextRange::new(start, end.max(start))
}

/// The parts in which two texts differ, in bytes.
pub(crate) fn difference(a: &str, b: &str) -> (Range<usize>, Range<usize>) {
    // Long texts differ in little: what is the same is passed over in large steps first.
    const STEP: usize = 128;
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let steps = a.chunks_exact(STEP).zip(b.chunks_exact(STEP));
    let steps = steps.take_while(|(x, y)| x == y).count() * STEP;
    let (x, y) = (a.get(steps..).unwrap_or_default(), b.get(steps..).unwrap_or_default());
    let head = steps + x.iter().zip(y).take_while(|(x, y)| x == y).count();
    let (x, y) = (a.get(head..).unwrap_or_default(), b.get(head..).unwrap_or_default());
    let steps = x.rchunks_exact(STEP).zip(y.rchunks_exact(STEP));
    let steps = steps.take_while(|(x, y)| x == y).count() * STEP;
    let rest = x.iter().rev().zip(y.iter().rev()).skip(steps);
    let tail = steps + rest.take_while(|(x, y)| x == y).count();
    (head..a.len() - tail, head..b.len() - tail)
}

/// The same difference as far to the front as it can be seen: a word put in before a blank is one put in behind a blank.
fn first_place(a: &str, old: &Range<usize>, b: &str, new: &Range<usize>) -> (Range<usize>, Range<usize>) {
    let (text, part) = if old.is_empty() { (b, new) } else { (a, old) };
    let bytes = text.as_bytes();
    let mut back = 0;
    if old.is_empty() != new.is_empty() {
        while back < part.start && bytes.get(part.start - back - 1) == bytes.get(part.end - back - 1) {
            back += 1;
        }
    }
    (old.start - back..old.end - back, new.start - back..new.end - back)
}

fn in_comment(a: Version<'_>, old: &Range<usize>, b: Version<'_>, new: &Range<usize>) -> bool {
    match (comment(a, old), comment(b, new)) {
        (Some(x), Some(y)) => x.start == y.start && x.end - old.end == y.end - new.end,
        _ => false,
    }
}

/// The comment around a part.
fn comment(version: Version<'_>, part: &Range<usize>) -> Option<Range<usize>> {
    let comments = version.parse.tree.comments().iter();
    let mut comments = comments.map(|c| Range::<usize>::from(*c));
    comments.find(|c| c.start < part.start && part.end <= c.end)
}

/// Where texts stand that are shown and mean nothing, outside of rooms; `*` is any name.
const SHOWN: [&[&str]; 20] = [
    &["app", "title"],
    &["app", "author"],
    &["app", "license"],
    &["app", "context"],
    &["intents", "*", "title"],
    &["intents", "*", "description"],
    &["intents", "*", "slots", "*", "description"],
    &["intents", "*", "slots", "*", "format_hint"],
    &["intents", "*", "slots", "*", "prompt"],
    &["world", "*", "description"],
    &["agents", "*", "description"],
    &["agents", "*", "system_prompt"],
    &["exits", "*", "description"],
    &["host_interfaces", "*", "description"],
    &["operations", "*", "title"],
    &["meta_modes", "*", "label"],
    &["meta_modes", "*", "banner"],
    &["meta_modes", "*", "return", "message"],
    &["off_path", "banner"],
    &["off_path", "persona"],
];

/// Keys of such texts in rooms, at any depth.
const SHOWN_IN_ROOMS: [&str; 14] = [
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
];

/// Under these keys of rooms everything is data.
const DATA: [&str; 10] = [
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
];

/// Whether the text at a path of keys, from the top of the file, is shown and means nothing.
fn is_shown(path: &[SmolStr]) -> bool {
    let (Some(section), Some(last)) = (path.first(), path.last()) else {
        return false;
    };
    if section == "states" {
        let data = path.iter().any(|k| DATA.contains(&k.as_str()));
        return path.len() > 2 && !data && SHOWN_IN_ROOMS.contains(&last.as_str());
    }
    SHOWN
        .iter()
        .any(|p| p.len() == path.len() && p.iter().zip(path).all(|(p, k)| *p == "*" || p == k))
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

/// A text with one of its scalars and the part of it that differs.
type Part<'a> = (&'a str, &'a Scalar, &'a Range<usize>);

fn in_scalar((a, x, old): Part<'_>, (b, y, new): Part<'_>) -> bool {
    let same_frame = x.range.start == y.range.start
        && x.range.end - old.end == y.range.end - new.end
        && a.as_bytes().get(x.range.start) == b.as_bytes().get(y.range.start)
        && x.path == y.path;
    same_frame
        && x.is_text
        && y.is_text
        && is_shown(&x.path)
        && is_plain(a, &x.range, old)
        && is_plain(b, &y.range, new)
}

/// Whether a part is blanks at the end of a line behind other text: outside of scalars they are nothing.
fn at_line_end(text: &str, part: &Range<usize>) -> bool {
    let blank = text.get(part.clone()).is_some_and(|t| t.bytes().all(|b| b == b' '));
    let ends = text
        .get(part.end..)
        .is_some_and(|t| t.is_empty() || t.starts_with('\n') || t.starts_with("\r\n"));
    let behind = text
        .get(..part.start)
        .is_some_and(|t| t.ends_with(|c: char| !c.is_whitespace()));
    blank && ends && behind
}

/// A text, and the keys that lead to it from the top of the file.
struct Scalar {
    range: Range<usize>,
    path: Vec<SmolStr>,
    /// Words, and not none; no number, no truth value.
    is_text: bool,
}

/// The scalar around a part of a piece; the part does not begin where the scalar begins, and may stand at its end.
fn scalar(key: &ChunkKey, version: Version<'_>, part: &Range<usize>) -> Option<Scalar> {
    let tree = &version.parse.tree;
    let nodes = tree.node_at(TextSize::new(u32::try_from(part.start.checked_sub(1)?).ok()?));
    let node = *nodes.last()?;
    let range = Range::<usize>::from(tree.node(node).range);
    let is_scalar = matches!(tree.node(node).kind, NodeKind::Scalar(_));
    let blank = tree.as_string(node).is_ok_and(|t| t.trim().is_empty());
    let inside = range.start < part.start && part.end <= range.end;
    let keys = nodes.windows(2).filter_map(|pair| match pair {
        [outer, inner] => key_of(tree, *outer, *inner),
        _ => None,
    });
    // The piece of an entry begins at the entry.
    let section = key.entry.is_some().then(|| key.section.clone());
    (is_scalar && inside).then(|| Scalar {
        range,
        is_text: !blank && matches!(tree.value(node), Resolved::Str(_)),
        path: section.into_iter().chain(keys).collect(),
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

#[cfg(test)]
mod tests {
    use super::*;

    fn is_only(section: &str, entry: Option<&str>, a: &str, b: &str) -> bool {
        let key = ChunkKey {
            section: SmolStr::new(section),
            entry: entry.map(SmolStr::new),
        };
        let parse = kitsoki_syntax::parse(a);
        only(&key, Version { text: a, parse: &parse }, b, || kitsoki_syntax::parse(b))
    }

    #[test]
    fn words_are_found_by_where_they_stand() {
        let go = |key: &str, a: &str, b: &str| {
            let text = |word: &str| format!("  go:\n    {key}: {word} away\n");
            is_only("intents", Some("go"), &text(a), &text(b))
        };
        assert!(go("description", "far", "fair"));
        let phrase = "  go:\n    examples: [far away]\n";
        let key = ChunkKey {
            section: SmolStr::new("intents"),
            entry: Some(SmolStr::new("go")),
        };
        let parse = kitsoki_syntax::parse(phrase);
        let version = Version {
            text: phrase,
            parse: &parse,
        };
        let never = || -> Parse { unreachable!("where it changed says enough") };
        assert!(!only(&key, version, "  go:\n    examples: [fair away]\n", never));
        assert!(!go("examples", "far", "fair"), "phrases are matched");
        assert!(go("title", "far", "far and\n      wide"), "more lines");
        let end = |text: &str| format!("  go:\n    title: far{text}\n    hidden: true\n");
        assert!(is_only("intents", Some("go"), &end(""), &end("ther")), "at the end");
        assert!(
            is_only("intents", Some("go"), &end(""), &end(" ")),
            "the blank before the next word"
        );
        assert!(!is_only("intents", Some("go"), &end(""), &end(" #")), "half a comment");
        assert!(!is_only("intents", Some("go"), &end(""), &end(":")), "a key");
        assert!(!go("description", "far", "fa{{r"), "a template begins");
        assert!(is_only("app", None, "app:\n  title: Inns\n", "app:\n  title: Inners\n"));
        assert!(!is_only("app", None, "app:\n  id: inns\n", "app:\n  id: inners\n"));
        let slot = |key: &str, word: &str| format!("  go:\n    slots:\n      n:\n        {key}: {word}\n");
        assert!(is_only(
            "intents",
            Some("go"),
            &slot("description", "far"),
            &slot("description", "fair")
        ));
        assert!(!is_only(
            "intents",
            Some("go"),
            &slot("default", "far"),
            &slot("default", "fair")
        ));
    }

    #[test]
    fn a_name_like_a_key_is_no_text() {
        // A world key called `description` with its value, and a slot of that name.
        assert!(!is_only(
            "world",
            Some("description"),
            "  description: far\n",
            "  description: fair\n"
        ));
        let slot = |word: &str| format!("  go:\n    slots:\n      description: {word}\n");
        assert!(!is_only("intents", Some("go"), &slot("far"), &slot("fair")));
        let data = |word: &str| format!("  a:\n    on_enter:\n      - set:\n          title: {word}\n");
        assert!(!is_only("states", Some("a"), &data("far"), &data("fair")));
    }

    #[test]
    fn places_move_with_the_text_behind_the_change() {
        let range = |a: u32, b: u32| TextRange::new(TextSize::new(a), TextSize::new(b));
        assert_eq!(moved("one two six", "one twofold six", range(8, 11)), range(12, 15));
        assert_eq!(moved("one two six", "one twofold six", range(0, 3)), range(0, 3));
        assert_eq!(moved("one two six", "one six", range(8, 11)), range(4, 7));
    }
}
