//! The proof that only spaces changed: two readings of a text with the same nodes, comments and faults.

use kitsoki_syntax::{Node, NodeKind, Parse, Tree};

/// Whether two texts say the same with the same words.
pub(crate) fn same(before_text: &str, before: &Parse, after_text: &str, after: &Parse) -> bool {
    let kinds = |parse: &Parse| {
        parse
            .faults
            .iter()
            .map(|fault| fault.kind)
            .filter(is_kept)
            .collect::<Vec<_>>()
    };
    same_trees(&before.tree, &after.tree)
        && comments(before_text, &before.tree).eq(comments(after_text, &after.tree))
        && kinds(before) == kinds(after)
}

/// A blank before a comment removes the fault of one that touches what stands before it.
fn is_kept(kind: &kitsoki_syntax::FaultKind) -> bool {
    *kind != kitsoki_syntax::FaultKind::CommentTouchesToken
}

fn comments<'t>(text: &'t str, tree: &'t Tree) -> impl Iterator<Item = &'t str> {
    tree.comments().iter().map(|range| {
        text.get(std::ops::Range::<usize>::from(*range))
            .unwrap_or_default()
            .trim_end()
    })
}

fn same_trees(before: &Tree, after: &Tree) -> bool {
    let pairs = || before.ids().zip(after.ids());
    before.len() == after.len()
        && before.documents() == after.documents()
        && pairs().all(|(a, b)| same_nodes(before.node(a), after.node(b)))
}

fn same_nodes(a: &Node, b: &Node) -> bool {
    let kinds = match (&a.kind, &b.kind) {
        (NodeKind::Scalar(a), NodeKind::Scalar(b)) => a == b,
        // Children by their numbers in the arena: equal numbers, equal shape.
        (a, b) => a == b,
    };
    kinds
        && a.flow == b.flow
        && a.range.is_empty() == b.range.is_empty()
        && a.tag.as_ref().map(|tag| &tag.text) == b.tag.as_ref().map(|tag| &tag.text)
        && a.anchor.as_ref().map(|anchor| &anchor.name) == b.anchor.as_ref().map(|anchor| &anchor.name)
}
