//! The copy of a text that is read after a break: parts blanked, small edits made, every offset led back to the original.

use std::borrow::Cow;

use super::lines;
use crate::fault::Fault;
use crate::span::{range, size, slice};
use crate::{NodeId, NodeKind, TextRange, TextSize, Tree};

/// The text as it is read in this round.
#[derive(Clone)]
pub(super) struct Scratch<'t> {
    text: Cow<'t, str>,
    /// Edits in the order of the text.
    edits: Vec<Edit>,
    /// What has been passed over, in order and apart from each other.
    skipped: Vec<TextRange>,
    /// Everything that faults have been told about: a break that touches one of these is its echo.
    told: Vec<TextRange>,
}

/// A part of the copy that is longer or shorter than in the original.
#[derive(Clone, Copy)]
struct Edit {
    /// Where it starts in the copy.
    at: usize,
    len: usize,
    /// Where it starts in the original.
    original: usize,
    original_len: usize,
}

impl<'t> Scratch<'t> {
    /// The text itself.
    pub fn new(text: &'t str) -> Self {
        Self {
            text: Cow::Borrowed(text),
            edits: Vec::new(),
            skipped: Vec::new(),
            told: Vec::new(),
        }
    }

    /// What is read.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What has been passed over.
    pub fn skipped(&self) -> &[TextRange] {
        &self.skipped
    }

    /// The offset in the original; inside of an edit its start.
    pub fn original(&self, offset: usize) -> usize {
        let behind = self.edits.partition_point(|edit| edit.at <= offset);
        match behind.checked_sub(1).and_then(|last| self.edits.get(last)) {
            None => offset,
            Some(edit) => match offset.checked_sub(edit.at + edit.len) {
                Some(rest) => edit.original + edit.original_len + rest,
                None => edit.original,
            },
        }
    }

    /// The range in the original.
    pub fn original_range(&self, at: TextRange) -> TextRange {
        let (start, end) = (usize::from(at.start()), usize::from(at.end()));
        let inside = self.edits.iter().find(|edit| edit.at < end && end < edit.at + edit.len);
        let end = inside.map_or_else(|| self.original(end), |edit| edit.original + edit.original_len);
        range(self.original(start), end)
    }

    /// Leads a fault back to the original.
    pub fn original_fault(&self, mut fault: Fault) -> Fault {
        fault.range = self.original_range(fault.range);
        for (at, _) in &mut fault.related {
            *at = self.original_range(*at);
        }
        for (at, _) in fault.fix.iter_mut().flat_map(|fix| &mut fix.edits) {
            *at = self.original_range(*at);
        }
        fault
    }

    /// Leads a tree back to the original.
    pub fn original_tree(&self, mut tree: Tree) -> Tree {
        if !self.edits.is_empty() {
            for node in &mut tree.nodes {
                node.range = self.original_range(node.range);
                if let Some(tag) = &mut node.tag {
                    tag.range = self.original_range(tag.range);
                }
                if let Some(anchor) = &mut node.anchor {
                    anchor.range = self.original_range(anchor.range);
                }
            }
        }
        settle(&mut tree);
        tree.skipped = self.skipped.iter().map(|part| self.original_range(*part)).collect();
        tree
    }

    /// Replaces a part with another text; `false` when an earlier edit is in the way.
    pub fn edit(&mut self, part: TextRange, new: &str) -> bool {
        let (start, end) = (usize::from(part.start()), usize::from(part.end()));
        let clear = |edit: &Edit| edit.at > end || edit.at + edit.len < start;
        if !self.edits.iter().all(clear) || self.text.get(start..end).is_none() {
            return false;
        }
        let original = self.original(start);
        let original_len = self.original(end).saturating_sub(original);
        let place = self.edits.partition_point(|edit| edit.at < start);
        let shift = |offset: usize| (offset + new.len()).saturating_sub(end - start);
        for edit in self.edits.iter_mut().skip(place) {
            edit.at = shift(edit.at);
        }
        let moved = |at: TextSize| {
            if usize::from(at) >= end {
                size(shift(at.into()))
            } else {
                at
            }
        };
        for known in self.skipped.iter_mut().chain(&mut self.told) {
            let (from, to) = (moved(known.start()), moved(known.end()));
            *known = TextRange::new(from, to.max(from));
        }
        self.edits.insert(
            place,
            Edit {
                at: start,
                len: new.len(),
                original,
                original_len,
            },
        );
        self.text.to_mut().replace_range(start..end, new);
        true
    }

    /// Replaces a part with blanks, line ends kept, and remembers it as passed over.
    pub fn skip(&mut self, part: TextRange) {
        self.erase(part);
        self.mark_skipped(part);
        self.tell(part);
    }

    /// Remembers a part as passed over.
    pub fn mark_skipped(&mut self, part: TextRange) {
        let from = self.skipped.partition_point(|skipped| skipped.end() < part.start());
        let to = self
            .skipped
            .partition_point(|skipped| skipped.start() <= part.end())
            .max(from);
        let merged = self
            .skipped
            .get(from..to)
            .unwrap_or_default()
            .iter()
            .fold(part, |sum, next| sum.cover(*next));
        self.skipped.splice(from..to, [merged]);
    }

    /// Replaces a part with blanks, line ends kept.
    pub fn erase(&mut self, part: TextRange) {
        let keep = |byte| {
            if byte == b'\n' || byte == b'\r' {
                char::from(byte)
            } else {
                ' '
            }
        };
        let blanks: String = slice(&self.text, part).bytes().map(keep).collect();
        let part = usize::from(part.start())..usize::from(part.end());
        if self.text.get(part.clone()).is_some() {
            self.text.to_mut().replace_range(part, &blanks);
        }
    }

    /// Replaces every NUL with a blank.
    pub fn erase_nuls(&mut self) {
        if self.text.contains('\0') {
            self.text = Cow::Owned(self.text.replace('\0', " "));
        }
    }

    /// Remembers the line of a part as one that a fault has been told about.
    pub fn tell(&mut self, part: TextRange) {
        self.told.push(part);
    }

    /// Whether a part touches one that a fault has been told about, with nothing but blanks and comments between.
    pub fn is_echo(&self, part: TextRange) -> bool {
        self.told.iter().any(|told| {
            if told.intersect(part).is_some() {
                return true;
            }
            let (end, start) = (told.end().min(part.end()), told.start().max(part.start()));
            let between = slice(&self.text, TextRange::new(end.min(start), start));
            between
                .lines()
                .all(|line| line.trim().is_empty() || line.trim_start().starts_with('#'))
        })
    }

    /// Whether a range of the original touches what a fault has been told about.
    pub fn is_told(&self, at: TextRange) -> bool {
        self.told
            .iter()
            .any(|told| self.original_range(*told).intersect(at).is_some())
    }

    /// What of a part is not blank yet; when nothing is, the line of the break or one beside it.
    pub fn fresh_part(&self, part: TextRange, at: usize) -> Option<TextRange> {
        let has_text = |part: &TextRange| !slice(&self.text, *part).trim().is_empty();
        if has_text(&part) {
            return Some(part);
        }
        let line = lines::Line::at(&self.text, at);
        let whole = |line: lines::Line<'_>| range(line.body(), line.end);
        let near = [
            Some(whole(line.clone())),
            line.above().map(whole),
            line.below().map(whole),
        ];
        near.into_iter().flatten().find(has_text)
    }
}

/// Puts every node into the node that holds it and behind its sibling. What was read with an edit in mind may stand a little
/// beside its place in the original, and where a value is missing the parser does not always tell whose colon is whose.
fn settle(tree: &mut Tree) {
    for index in 0..tree.nodes.len() {
        let Some(node) = tree.nodes.get_mut(index) else { return };
        let (mut from, to) = (node.range.start(), node.range.end());
        if !matches!(node.kind, NodeKind::Mapping(_) | NodeKind::Sequence(_)) {
            continue;
        }
        let kind = std::mem::replace(&mut node.kind, NodeKind::Error);
        let mut place = |child: NodeId| {
            if let Some(child) = tree.nodes.get_mut(child.index()) {
                let start = child.range.start().clamp(from, to);
                child.range = TextRange::new(start, child.range.end().clamp(start, to));
                from = child.range.end();
            }
        };
        match &kind {
            NodeKind::Mapping(entries) => entries.iter().for_each(|entry| {
                place(entry.key);
                place(entry.value);
            }),
            NodeKind::Sequence(items) => items.iter().for_each(|item| place(*item)),
            _ => {}
        }
        if let Some(node) = tree.nodes.get_mut(index) {
            node.kind = kind;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Scratch;
    use crate::span::range;

    #[test]
    fn offsets_lead_back_over_edits() {
        let mut scratch = Scratch::new("abcdef");
        assert!(scratch.edit(range(4, 4), "XY"));
        assert!(scratch.edit(range(1, 3), ""));
        assert_eq!(scratch.text(), "adXYef");
        let back: Vec<usize> = (0..=6).map(|at| scratch.original(at)).collect();
        assert_eq!(back, [0, 3, 4, 4, 4, 5, 6]);
        assert_eq!(scratch.original_range(range(1, 3)), range(3, 4));
        assert!(!scratch.edit(range(2, 3), "Z"), "inside of an edit");
    }

    #[test]
    fn skipped_parts_move_with_edits_before_them() {
        let mut scratch = Scratch::new("ab cd");
        scratch.skip(range(3, 5));
        assert!(scratch.edit(range(0, 0), "- "));
        assert_eq!(scratch.text(), "- ab   ");
        assert_eq!(scratch.skipped(), [range(5, 7)]);
        assert_eq!(scratch.original_range(range(5, 7)), range(3, 5));
    }
}
