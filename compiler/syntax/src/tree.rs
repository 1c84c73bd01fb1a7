//! The tree: an arena of nodes with exact byte ranges, in the order of the text.
//!
//! Aliases are edges, never copies; what they stand for is bounded when the tree is built, so walking it with aliases followed
//! ends for every input, as long as the walker does not enter a recursive alias ([`Alias::recursive`]).

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use crate::{TextRange, TextSize};

/// A node of one [`Tree`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NodeId(pub(crate) u32);

impl NodeId {
    /// The place in the arena.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Everything that one text holds.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tree {
    pub(crate) nodes: Vec<Node>,
    pub(crate) documents: Vec<NodeId>,
    pub(crate) comments: Vec<TextRange>,
    /// Content columns of block scalars, for those whose header states them.
    pub(crate) stated_indents: FxHashMap<NodeId, u32>,
    /// Parts of the text that were passed over because they could not be read, in order.
    pub(crate) skipped: Vec<TextRange>,
}

/// One node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    /// What it is.
    pub kind: NodeKind,
    /// Its exact bytes: quotes, brackets and the block header included, tag, anchor and the final line end not.
    pub range: TextRange,
    /// Its tag.
    pub tag: Option<Box<Tag>>,
    /// Its anchor.
    pub anchor: Option<Box<Anchor>>,
    /// Whether it is a collection in brackets or stands inside of one.
    pub flow: bool,
}

/// The kinds of nodes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NodeKind {
    /// A single value.
    Scalar(Scalar),
    /// Keys and values in the order of the text.
    Mapping(Vec<Entry>),
    /// Items in the order of the text.
    Sequence(Vec<NodeId>),
    /// `*name`.
    Alias(Alias),
    /// What stood here could not be read; a fault says why.
    Error,
}

/// A scalar.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scalar {
    /// How it is written.
    pub style: ScalarStyle,
    /// Its text, escapes and folding done. Empty for a value that is not there.
    pub text: SmolStr,
}

/// How a scalar is written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ScalarStyle {
    /// Without quotes.
    Plain,
    /// `'…'`.
    Single,
    /// `"…"`.
    Double,
    /// `|`.
    Literal,
    /// `>`.
    Folded,
}

/// A key with its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The key.
    pub key: NodeId,
    /// The value. One that is not there is an empty plain scalar with an empty range right behind the colon.
    pub value: NodeId,
}

/// An alias.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Alias {
    /// The name without `*`.
    pub name: SmolStr,
    /// What it stands for; `None` when there is no such anchor before it or when aliases stand for too much.
    pub target: Option<NodeId>,
    /// Whether it stands inside of what it stands for.
    pub recursive: bool,
}

/// A tag.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tag {
    /// `!!name` for the tags of YAML itself however they are written, else as written.
    pub text: SmolStr,
    /// Its bytes.
    pub range: TextRange,
}

/// An anchor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Anchor {
    /// The name without `&`.
    pub name: SmolStr,
    /// Its bytes, `&` included.
    pub range: TextRange,
}

/// What [`Tree::node`] gives for a number that is none of this tree's.
static NOWHERE: Node = Node {
    kind: NodeKind::Error,
    range: TextRange::empty(TextSize::new(0)),
    tag: None,
    anchor: None,
    flow: false,
};

impl Tree {
    /// The root of the first document that is not empty.
    #[must_use]
    pub fn root(&self) -> Option<NodeId> {
        self.documents.first().copied()
    }

    /// The roots of all documents that are not empty.
    #[must_use]
    pub fn documents(&self) -> &[NodeId] {
        &self.documents
    }

    /// The comments, `#` included and line end not, in the order of the text.
    #[must_use]
    pub fn comments(&self) -> &[TextRange] {
        &self.comments
    }

    /// The parts of the text that could not be read and are not in the tree.
    #[must_use]
    pub fn skipped(&self) -> &[TextRange] {
        &self.skipped
    }

    /// The content column of a block scalar whose header states one.
    #[must_use]
    pub fn stated_indent(&self, id: NodeId) -> Option<usize> {
        self.stated_indents.get(&id).map(|indent| *indent as usize)
    }

    /// A node. A number of another tree gives an [`NodeKind::Error`].
    #[must_use]
    pub fn node(&self, id: NodeId) -> &Node {
        self.nodes.get(id.index()).unwrap_or(&NOWHERE)
    }

    /// The number of nodes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no node at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// All nodes in the order in which they begin in the text.
    pub fn ids(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..u32::try_from(self.nodes.len()).unwrap_or(u32::MAX)).map(NodeId)
    }

    /// The node behind an alias, the node itself when it is none. An alias that stands for nothing gives a
    /// [`NodeKind::Error`] with the alias's range.
    #[must_use]
    pub fn resolve_alias(&self, id: NodeId) -> NodeId {
        match &self.node(id).kind {
            // The builder puts the error right behind an alias without a target. A target is never an alias itself.
            NodeKind::Alias(alias) => alias.target.unwrap_or(NodeId(id.0.saturating_add(1))),
            _ => id,
        }
    }

    /// Whether a part of the text inside of this node, or of its last line, could not be read: what seems to be missing in
    /// it may stand there.
    #[must_use]
    pub fn is_damaged(&self, id: NodeId) -> bool {
        let range = self.node(id).range;
        let after = self.skipped.partition_point(|skipped| skipped.end() < range.start());
        self.skipped
            .get(after)
            .is_some_and(|skipped| skipped.start() <= range.end())
    }

    /// The nodes that contain an offset, from the root to the innermost. A node contains both of its ends.
    #[must_use]
    pub fn node_at(&self, offset: TextSize) -> Vec<NodeId> {
        let mut path = Vec::new();
        let start = self.documents.iter().copied().find(|root| self.holds(*root, offset));
        let mut next = start;
        while let Some(id) = next {
            path.push(id);
            next = match &self.node(id).kind {
                NodeKind::Mapping(entries) => {
                    let after = entries.partition_point(|entry| self.node(entry.value).range.end() < offset);
                    entries.get(after).and_then(|entry| {
                        // At `a:|` both hold the offset; the value is what is being written there.
                        [entry.value, entry.key].into_iter().find(|id| self.holds(*id, offset))
                    })
                }
                NodeKind::Sequence(items) => {
                    let after = items.partition_point(|item| self.node(*item).range.end() < offset);
                    items.get(after).copied().filter(|id| self.holds(*id, offset))
                }
                _ => None,
            };
        }
        path
    }

    fn holds(&self, id: NodeId, offset: TextSize) -> bool {
        self.node(id).range.contains_inclusive(offset)
    }
}
