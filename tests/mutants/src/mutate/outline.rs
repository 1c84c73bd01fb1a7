//! A YAML text as the places at which something can be done to it.

use std::ops::Range;

use kitsoki_syntax::{NodeId, NodeKind, TextRange, Tree, parse};

/// A key with its value, or an item of a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The key; `None` for an item.
    pub key: Option<Range<usize>>,
    /// The value.
    pub value: Range<usize>,
    /// All of it: whole lines where it has its lines to itself, otherwise its own bytes.
    pub whole: Range<usize>,
    /// The column at which it begins.
    pub indent: usize,
    /// Whether it has its lines to itself.
    pub block: bool,
    /// The collection that it stands in.
    pub parent: usize,
}

/// What a text holds.
#[derive(Clone, Debug, Default)]
pub struct Outline {
    /// The entries in the order of the text.
    pub entries: Vec<Entry>,
    /// The single values, keys left out, in the order of the text.
    pub scalars: Vec<Range<usize>>,
}

impl Outline {
    /// The outline of a text.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let tree = parse(text).tree;
        let mut this = Self::default();
        for id in tree.ids() {
            match &tree.node(id).kind {
                NodeKind::Mapping(entries) => {
                    for entry in entries {
                        this.add(text, &tree, id, Some(entry.key), entry.value);
                    }
                }
                NodeKind::Sequence(items) => {
                    for item in items {
                        this.add(text, &tree, id, None, *item);
                    }
                }
                _ => {}
            }
        }
        this.entries.sort_by_key(|e| (e.whole.start, e.value.start));
        this.scalars.sort_by_key(|s| s.start);
        this
    }

    fn add(&mut self, text: &str, tree: &Tree, parent: NodeId, key: Option<NodeId>, value: NodeId) {
        let range = |id: NodeId| with_properties(tree, id);
        let value_range = range(value);
        let key_range = key.map(range);
        let start = key_range.as_ref().map_or(value_range.start, |k| k.start);
        let end = value_range.end.max(start);
        let line = text.get(..start).and_then(|t| t.rfind('\n')).map_or(0, |n| n + 1);
        let before = text.get(line..start).unwrap_or_default();
        let line_end = text
            .get(end..)
            .and_then(|t| t.find('\n'))
            .map_or(text.len(), |n| end + n + 1);
        let alone = if key.is_some() {
            before.trim().is_empty()
        } else {
            before.trim() == "-"
        };
        let block = alone && !tree.node(parent).flow;
        if matches!(tree.node(value).kind, NodeKind::Scalar(_)) {
            self.scalars.push(value_range.clone());
        }
        self.entries.push(Entry {
            key: key_range,
            value: value_range,
            whole: if block { line..line_end } else { start..end },
            indent: if key.is_some() {
                start - line
            } else {
                before.find('-').unwrap_or(0)
            },
            block,
            parent: parent.index(),
        });
    }

    /// The entries that have a key.
    pub fn keyed(&self) -> Vec<&Entry> {
        self.entries.iter().filter(|e| e.key.is_some()).collect()
    }

    /// The entries that have their lines to themselves.
    pub fn blocks(&self) -> Vec<&Entry> {
        self.entries.iter().filter(|e| e.block).collect()
    }
}

/// The bytes of a node with its tag and its anchor.
fn with_properties(tree: &Tree, id: NodeId) -> Range<usize> {
    let node = tree.node(id);
    let marks = node
        .tag
        .iter()
        .map(|t| t.range)
        .chain(node.anchor.iter().map(|a| a.range));
    Range::<usize>::from(marks.fold(node.range, TextRange::cover))
}

/// Lines moved to another column.
#[must_use]
pub fn reindented(block: &str, from: usize, to: usize) -> String {
    let mut out = String::with_capacity(block.len() + 64);
    for line in block.split_inclusive('\n') {
        let blank = line.trim().is_empty();
        let spaces = line.len() - line.trim_start_matches(' ').len();
        if !blank {
            out.push_str(&" ".repeat((spaces + to).saturating_sub(from)));
        }
        out.push_str(if blank { line } else { line.trim_start_matches(' ') });
    }
    if !out.ends_with('\n') {
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str =
        "root: a # first\nstates:\n  a:\n    on: { go: [{ target: b }] }\n  b: &x\n    view: |\n      B\n";

    fn parts(pick: impl Fn(&Entry) -> Range<usize>) -> Vec<&'static str> {
        let outline = Outline::of(TEXT);
        outline.entries.iter().map(|e| &TEXT[pick(e)]).collect()
    }

    #[test]
    fn an_entry_with_its_lines_to_itself_is_whole_lines() {
        let whole = parts(|e| e.whole.clone());
        assert_eq!(whole[0], "root: a # first\n");
        assert!(whole.contains(&"  b: &x\n    view: |\n      B\n"));
        assert!(whole.contains(&"go: [{ target: b }]"));
    }

    #[test]
    fn a_value_has_its_anchor() {
        assert!(parts(|e| e.value.clone()).iter().any(|v| v.starts_with("&x\n    view")));
    }

    #[test]
    fn lines_keep_their_steps_when_they_move() {
        assert_eq!(reindented("  a:\n    b: 1\n", 2, 6), "      a:\n        b: 1\n");
        assert_eq!(reindented("    a:\n  b", 4, 0), "a:\nb\n");
    }
}
