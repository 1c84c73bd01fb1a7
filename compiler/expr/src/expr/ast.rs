//! The tree of a bare expression: one arena, children before parents, a byte range on every node.
//!
//! Because children come first, passes over the tree are loops over the arena, and depth costs no stack.

use std::sync::Arc;

use smol_str::SmolStr;
use text_size::TextRange;

use super::lexer::Op;

/// Index of a node in its arena.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct NodeId(pub(crate) u32);

impl NodeId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A node.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Node {
    pub(crate) kind: NodeKind,
    /// All bytes of the subtree, without parentheses around it.
    pub(crate) range: TextRange,
    /// Where to point when this node itself is at fault: the operator, the name, the bracket.
    pub(crate) focus: TextRange,
    /// The first node of the subtree; the subtree is `first..=self` but for shared operands.
    pub(crate) first: NodeId,
}

/// How a member was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    /// `.name` or `?.name`.
    Dot,
    /// `[expression]` or `?.[expression]`.
    Index,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum NodeKind {
    /// What could not be read.
    Error,
    Nil,
    Bool(bool),
    Int(i64),
    Float(f64),
    Str(SmolStr),
    Bytes(Arc<[u8]>),
    /// A name; `binding` is the value that `let` gave it.
    Ident {
        name: SmolStr,
        binding: Option<NodeId>,
    },
    Unary {
        op: Op,
        operand: NodeId,
    },
    Binary {
        op: Op,
        left: NodeId,
        right: NodeId,
    },
    /// The end of an optional chain: where nil lands.
    Chain(NodeId),
    Member {
        base: NodeId,
        property: NodeId,
        optional: bool,
        access: Access,
        /// A call follows.
        method: bool,
    },
    Slice {
        base: NodeId,
        from: Option<NodeId>,
        to: Option<NodeId>,
    },
    Call {
        callee: NodeId,
        args: Vec<NodeId>,
    },
    Builtin {
        name: SmolStr,
        args: Vec<NodeId>,
    },
    /// The body of a predicate.
    Predicate(NodeId),
    /// `#` or `.`: the element that a predicate looks at; `collection` is what it runs over.
    Pointer {
        name: SmolStr,
        collection: Option<NodeId>,
    },
    Let {
        name: SmolStr,
        value: NodeId,
        body: NodeId,
    },
    Sequence(Vec<NodeId>),
    Conditional {
        condition: NodeId,
        then: NodeId,
        otherwise: NodeId,
    },
    List(Vec<NodeId>),
    Map(Vec<NodeId>),
    Pair {
        key: NodeId,
        value: NodeId,
    },
}

/// A parsed expression: an arena of nodes with byte ranges. Parsing never fails; what could not be read is an error node.
#[derive(Debug, Clone, PartialEq)]
pub struct Expr {
    pub(crate) text: Arc<str>,
    pub(crate) nodes: Vec<Node>,
    pub(crate) root: NodeId,
}

impl Expr {
    /// The text that was parsed.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The bytes of a range of the text; empty when the range is not of this text.
    #[must_use]
    pub fn slice(&self, range: TextRange) -> &str {
        self.text
            .get(usize::from(range.start())..usize::from(range.end()))
            .unwrap_or_default()
    }

    /// The bytes of the expression without what stands around it.
    pub(crate) fn whole(&self) -> TextRange {
        self.node(self.root).range
    }

    pub(crate) fn node(&self, id: NodeId) -> &Node {
        static MISSING: Node = Node {
            kind: NodeKind::Error,
            range: TextRange::empty(text_size::TextSize::new(0)),
            focus: TextRange::empty(text_size::TextSize::new(0)),
            first: NodeId(0),
        };
        self.nodes.get(id.index()).unwrap_or(&MISSING)
    }

    pub(crate) fn kind(&self, id: NodeId) -> &NodeKind {
        &self.node(id).kind
    }

    /// Ids in arena order: children before parents, otherwise as written.
    pub(crate) fn ids(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (0..u32::try_from(self.nodes.len()).unwrap_or(u32::MAX)).map(NodeId)
    }
}
