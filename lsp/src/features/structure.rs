//! What can be folded, and what a growing selection takes.

use kitsoki_compiler::db::SourceFile;
use kitsoki_compiler::pipeline;
use kitsoki_syntax::{NodeKind, ScalarStyle, TextRange, TextSize};

use super::cursor::{self, Spot};
use super::{At, Snapshot};
use crate::index::names::{piece_at, pieces};
use crate::index::walk::scalar;

/// Something that can be folded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fold {
    /// Its bytes: from its first line to its last.
    pub range: TextRange,
    /// It is a comment.
    pub comment: bool,
}

/// What can be folded in a file, in order.
#[must_use]
pub fn folds(snapshot: &Snapshot, file: SourceFile) -> Vec<Fold> {
    let db = &snapshot.db;
    let text = snapshot.text(file);
    let lines = snapshot.lines(file);
    let mut out: Vec<Fold> = Vec::new();
    let mut push = |range: TextRange, comment: bool| {
        let (first, last) = (lines.line_col(range.start()).line, lines.line_col(range.end()).line);
        if last > first {
            out.push(Fold { range, comment });
        }
    };
    let mut section: Option<(TextSize, TextSize)> = None;
    for piece in pieces(db, file) {
        let tree = &pipeline::shown_parse(db, piece.file).tree;
        let entry = matches!(piece.file.home(db), Some((_, key)) if key.entry.is_some());
        for id in tree.ids() {
            let node = tree.node(id);
            match &node.kind {
                NodeKind::Mapping(entries) => {
                    for e in entries {
                        let value = tree.node(e.value);
                        let long = match &value.kind {
                            NodeKind::Mapping(_) | NodeKind::Sequence(_) => true,
                            NodeKind::Scalar(s) => {
                                matches!(s.style, ScalarStyle::Literal | ScalarStyle::Folded) || s.text.len() > 60
                            }
                            _ => false,
                        };
                        if long {
                            let range = TextRange::new(
                                tree.node(e.key).range.start(),
                                value.range.end().max(tree.node(e.key).range.end()),
                            );
                            push(trimmed(&text, range + piece.offset), false);
                        }
                    }
                }
                NodeKind::Sequence(items) if !node.flow => {
                    for item in items {
                        let range = tree.node(*item).range;
                        push(trimmed(&text, range + piece.offset), false);
                    }
                }
                _ => {}
            }
        }
        if entry {
            let end = tree.root().map(|r| tree.node(r).range.end() + piece.offset);
            if let (Some((_, last)), Some(end)) = (&mut section, end) {
                *last = end;
            }
        } else {
            if let Some((start, end)) = section.take() {
                push(trimmed(&text, TextRange::new(start, end.max(start))), false);
            }
            // Of a file that is one piece every section is an entry of its mapping.
            let root = tree.root().filter(|_| piece.file.home(db).is_some());
            let root = root.map(|r| tree.node(r).range + piece.offset);
            section = root.map(|r| (r.start(), r.end()));
        }
        // Comments that stand below each other are one.
        let mut run: Option<TextRange> = None;
        for comment in tree.comments() {
            let comment = *comment + piece.offset;
            run = match run {
                Some(before) if lines.line_col(before.end()).line + 1 == lines.line_col(comment.start()).line => {
                    Some(before.cover(comment))
                }
                Some(before) => {
                    push(before, true);
                    Some(comment)
                }
                None => Some(comment),
            };
        }
        if let Some(run) = run {
            push(run, true);
        }
    }
    if let Some((start, end)) = section {
        push(trimmed(&text, TextRange::new(start, end.max(start))), false);
    }
    out.sort_by_key(|f| (f.range.start(), std::cmp::Reverse(f.range.end())));
    out.dedup_by(|a, b| lines.line_col(a.range.start()).line == lines.line_col(b.range.start()).line);
    out
}

/// A range without the white space at its end.
fn trimmed(text: &str, range: TextRange) -> TextRange {
    let part = text.get(std::ops::Range::<usize>::from(range)).unwrap_or_default();
    let len = u32::try_from(part.trim_end().len()).unwrap_or(0);
    TextRange::at(range.start(), TextSize::new(len))
}

/// What a growing selection takes around a place, innermost first.
#[must_use]
pub fn selections(snapshot: &Snapshot, at: At) -> Vec<TextRange> {
    let db = &snapshot.db;
    let piece = piece_at(db, at.file, at.offset);
    let text = snapshot.text(at.file);
    let mut out: Vec<TextRange> = vec![TextRange::up_to(TextSize::of(&*text))];
    let tree = &pipeline::shown_parse(db, piece.file).tree;
    let Some(offset) = at.offset.checked_sub(piece.offset) else {
        return out;
    };
    let mut path = tree.node_at(offset);
    // Between two entries the nearest mapping is what is there.
    if path.is_empty() {
        path.extend(tree.root());
    }
    for (n, id) in path.iter().enumerate() {
        let node = tree.node(*id);
        out.push(node.range + piece.offset);
        if let (NodeKind::Mapping(entries), Some(next)) = (&node.kind, path.get(n + 1)) {
            let entry = entries.iter().find(|e| e.key == *next || e.value == *next);
            if let Some(entry) = entry {
                let whole = tree.node(entry.key).range.cover(tree.node(entry.value).range);
                out.push(whole + piece.offset);
            }
        }
    }
    if let Some(last) = path.last()
        && scalar(tree, *last).is_some()
    {
        let range = tree.node(*last).range + piece.offset;
        let part = text.get(std::ops::Range::<usize>::from(range)).unwrap_or_default();
        if part.len() > 2 && part.starts_with(['"', '\'']) {
            let one = TextSize::new(1);
            out.push(TextRange::new(range.start() + one, range.end() - one));
        }
        out.extend(word(&text, at.offset, range));
    }
    if let Some(Spot::Key { range, .. }) = cursor::spot(snapshot, at) {
        out.push(range);
    }
    out.reverse();
    // Each is inside of the next.
    let mut nested: Vec<TextRange> = Vec::new();
    for range in out {
        let fits = nested
            .last()
            .is_none_or(|last| range.contains_range(*last) && range != *last);
        if fits && range.contains_inclusive(at.offset) {
            nested.push(range);
        }
    }
    nested
}

/// The word of an expression around a place.
fn word(text: &str, offset: TextSize, within: TextRange) -> Option<TextRange> {
    let at = usize::from(offset);
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let before = text.get(within.start().into()..at)?;
    let after = text.get(at..within.end().into())?;
    let head = before.len() - before.trim_end_matches(is_word).len();
    let tail = after.len() - after.trim_start_matches(is_word).len();
    let size = |n: usize| TextSize::new(u32::try_from(n).unwrap_or(u32::MAX));
    (head + tail > 0).then(|| TextRange::new(size(at - head), size(at + tail)))
}
