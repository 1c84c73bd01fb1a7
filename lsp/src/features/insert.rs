//! Where something new goes in a file, and its text in the form of what is around it.

use std::sync::Arc;

use kitsoki_compiler::db::SourceFile;
use kitsoki_syntax::{Entry, NodeId, NodeKind, TextRange, TextSize, Tree};
use smol_str::SmolStr;

use super::{Place, Snapshot};
use crate::index::walk::scalar;

/// A file as a whole, with its tree.
pub struct Source {
    /// The file.
    pub file: SourceFile,
    /// Its text.
    pub text: Arc<str>,
    /// Its tree.
    pub tree: Tree,
}

/// A place and the text that comes there.
pub type Edit = (Place, String);

impl Source {
    /// Reads a file.
    #[must_use]
    pub fn of(snapshot: &Snapshot, file: SourceFile) -> Self {
        let text = snapshot.text(file);
        let tree = kitsoki_syntax::parse(&text).tree;
        Self { file, text, tree }
    }

    /// A range of the file.
    #[must_use]
    pub fn place(&self, range: TextRange) -> Place {
        Place { file: self.file, range }
    }

    /// The text of a range.
    #[must_use]
    pub fn words(&self, range: TextRange) -> &str {
        self.text.get(std::ops::Range::<usize>::from(range)).unwrap_or_default()
    }

    /// The entries of a mapping.
    #[must_use]
    pub fn entries(&self, node: NodeId) -> &[Entry] {
        match &self.tree.node(node).kind {
            NodeKind::Mapping(entries) => entries,
            _ => &[],
        }
    }

    /// The entry of a mapping with a key.
    #[must_use]
    pub fn entry(&self, node: NodeId, key: &str) -> Option<Entry> {
        let named = |e: &&Entry| scalar(&self.tree, e.key).is_some_and(|k: &SmolStr| k == key);
        self.entries(node).iter().find(named).copied()
    }

    /// The entry of the whole file with a key.
    #[must_use]
    pub fn section(&self, key: &str) -> Option<Entry> {
        self.entry(self.tree.root()?, key)
    }

    /// The entry of a room by its path, when the file has it.
    #[must_use]
    pub fn room(&self, path: &str) -> Option<Entry> {
        let mut names = path.split('.');
        let mut room = self.entry(self.section("states")?.value, names.next()?)?;
        for name in names {
            room = self.entry(self.entry(room.value, "states")?.value, name)?;
        }
        Some(room)
    }

    /// The blanks before a node, when nothing else stands before it on its line.
    #[must_use]
    pub fn indent(&self, node: NodeId) -> Option<&str> {
        let start = usize::from(self.tree.node(node).range.start());
        let line = self.text.get(..start)?.rfind('\n').map_or(0, |n| n + 1);
        self.text.get(line..start).filter(|i| i.chars().all(|c| c == ' '))
    }

    /// The lines of an entry that has its lines for itself.
    #[must_use]
    pub fn lines(&self, entry: Entry) -> Option<TextRange> {
        let indent = self.indent(entry.key)?;
        let key = self.tree.node(entry.key).range;
        let start = key.start() - TextSize::of(indent);
        let end = self.end_of_lines(key.cover(self.tree.node(entry.value).range))?;
        Some(TextRange::new(start, end))
    }

    /// The end of the last line of a range.
    fn end_of_lines(&self, range: TextRange) -> Option<TextSize> {
        let end = usize::from(range.start()) + self.words(range).trim_end().len();
        let end = self
            .text
            .get(end..)?
            .find('\n')
            .map_or(self.text.len(), |n| end + n + 1);
        TextSize::try_from(end).ok()
    }

    fn at(&self, offset: TextSize, new: String) -> Option<Edit> {
        Some((self.place(TextRange::empty(offset)), new))
    }

    /// Whole lines at an offset between lines.
    fn lines_at(&self, offset: TextSize, lines: String) -> Option<Edit> {
        let gap = match self.text.get(..usize::from(offset))? {
            "" => "",
            before if before.ends_with('\n') => "",
            _ => "\n",
        };
        self.at(offset, format!("{gap}{lines}"))
    }
}

/// A new entry of a section of the file; the section is made when there is none. `block` is its text as lines, `flow` the same
/// for a section in braces.
#[must_use]
pub fn into_section(source: &Source, section: &str, block: &str, flow: &str) -> Option<Edit> {
    match source.section(section) {
        Some(entry) => into_mapping(source, entry, block, flow),
        None => {
            let lines = format!("{section}:\n{}", indented(block, "  "));
            source.lines_at(TextSize::of(&*source.text), lines)
        }
    }
}

/// A new entry at the end of the mapping behind a key.
#[must_use]
pub fn into_mapping(source: &Source, around: Entry, block: &str, flow: &str) -> Option<Edit> {
    let node = source.tree.node(around.value);
    match &node.kind {
        NodeKind::Mapping(entries) if node.flow => match entries.last() {
            Some(last) => {
                let end = |id: NodeId| source.tree.node(id).range.end();
                source.at(end(last.value).max(end(last.key)), format!(", {flow}"))
            }
            None => source.at(node.range.end().checked_sub(TextSize::new(1))?, format!(" {flow} ")),
        },
        NodeKind::Mapping(entries) => {
            let indent = source.indent(entries.first()?.key)?;
            source.lines_at(source.end_of_lines(node.range)?, indented(block, indent))
        }
        _ => below_key(source, around, block),
    }
}

/// A new entry of the mapping with a key inside of a declaration; the mapping is made when there is none.
#[must_use]
pub fn into_inner(source: &Source, around: Entry, key: &str, block: &str, flow: &str) -> Option<Edit> {
    match source.entry(around.value, key) {
        Some(inner) => into_mapping(source, inner, block, flow),
        None => {
            let block = format!("{key}:\n{}", indented(block, "  "));
            into_mapping(source, around, &block, &format!("{key}: {{ {flow} }}"))
        }
    }
}

/// A new item at the end of the list behind a key. `block` begins with its dash.
#[must_use]
pub fn into_list(source: &Source, around: Entry, block: &str, flow: &str) -> Option<Edit> {
    let node = source.tree.node(around.value);
    match &node.kind {
        NodeKind::Sequence(items) if node.flow => match items.last() {
            Some(last) => source.at(source.tree.node(*last).range.end(), format!(", {flow}")),
            None => source.at(node.range.end().checked_sub(TextSize::new(1))?, flow.to_owned()),
        },
        NodeKind::Sequence(_) => {
            let indent = source.indent(around.value)?;
            source.lines_at(source.end_of_lines(node.range)?, indented(block, indent))
        }
        _ => below_key(source, around, block),
    }
}

/// Below a key with nothing behind it.
fn below_key(source: &Source, around: Entry, block: &str) -> Option<Edit> {
    let empty = scalar(&source.tree, around.value).is_some_and(|t| t.is_empty());
    if !empty {
        return None;
    }
    let indent = format!("{}  ", source.indent(around.key)?);
    let end = source.end_of_lines(source.tree.node(around.key).range)?;
    source.lines_at(end, indented(block, &indent))
}

/// Every line of a block further to the right.
#[must_use]
pub fn indented(block: &str, indent: &str) -> String {
    let line = |l: &str| {
        if l.is_empty() {
            "\n".to_owned()
        } else {
            format!("{indent}{l}\n")
        }
    };
    block.lines().map(line).collect()
}
