//! Story text becomes a span-exact YAML tree: it never fails, it returns a tree and a list of faults.
//!
//! ```
//! use kitsoki_syntax::{Resolved, parse};
//!
//! let text = "root: pier\nretries: 0x10\n";
//! let parse = parse(text);
//! assert!(parse.faults.is_empty());
//! let tree = &parse.tree;
//! let root = tree.root().unwrap();
//! let retries = tree.get(root, "retries").unwrap();
//! assert_eq!(tree.value(retries.value), Resolved::Int(16));
//! assert_eq!(&text[tree.node(retries.value).range], "0x10");
//! ```
//!
//! What it is: [`parse`] makes a [`Tree`], an arena of [`Node`]s with exact byte ranges, and [`Fault`]s written for people. A broken
//! text yields the tree of everything around the break. The limits of [`Limits`] bound size, depth and what aliases stand
//! for, so that every later stage may walk the tree without a budget of its own.
//!
//! What it is not: it knows no story vocabulary, reads no file and keeps no state. The scalar rules and the order of
//! merging are those of `language` 2.

/// "Any" values and the batch answers for single texts.
pub mod decode;
mod fault;
mod limits;
mod line_index;
mod merge;
mod number;
mod parse;
mod scalar;
mod scalar_map;
mod span;
mod tree;
mod typed;
mod unicode;

pub use fault::{Fault, FaultFix, FaultKind, Severity};
pub use limits::Limits;
pub use line_index::{LineCol, LineIndex};
pub use merge::MergedEntry;
pub use parse::{Parse, parse, parse_with};
pub use scalar::Resolved;
pub use scalar_map::ScalarMap;
pub use span::{FileId, Span, TextRange, TextSize, range as text_range};
pub use tree::{Alias, Anchor, Entry, Node, NodeId, NodeKind, Scalar, ScalarStyle, Tag, Tree};
pub use typed::{TypeFault, TypeFaultKind};
pub use unicode::decode_utf8;
