//! Text to tree, with recovery: what cannot be read is passed over, and the rest is read again.

/// Events to nodes.
mod build;
/// The parser library, behind a wall.
mod events;

use crate::fault::{Fault, FaultKind};
use crate::span::range;
use crate::{Limits, TextRange, Tree};

/// A tree with what is wrong. It is never a failure: the tree holds everything around the faults.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Parse {
    /// What could be read.
    pub tree: Tree,
    /// What is wrong, in the order of the text.
    pub faults: Vec<Fault>,
}

/// Reads a text within the limits of the product.
#[must_use]
pub fn parse(text: &str) -> Parse {
    parse_with(text, &Limits::default())
}

/// Reads a text within other limits.
#[must_use]
pub fn parse_with(text: &str, limits: &Limits) -> Parse {
    let built = build::build(text, limits, &[]);
    let mut faults = built.faults;
    if let Some(broken) = built.broken {
        faults.push(Fault::error(
            FaultKind::Syntax,
            range(broken.at, broken.at + 1),
            "this is no YAML",
            "from here on",
        ));
    }
    let _ = TextRange::default();
    Parse {
        tree: built.tree,
        faults,
    }
}
