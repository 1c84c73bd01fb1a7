//! What holds of the tree of any text: every range is a part of the text, nodes stand inside of each other and in order,
//! scalars say again what they said, and whatever can be asked of a node has an answer.

use std::ops::Range;

use kitsoki_syntax::{Fault, LineIndex, Node, NodeId, NodeKind, Parse, Severity, TextRange, TextSize, Tree};

/// The part of a text at a range.
///
/// # Panics
/// When the range is no part of the text.
pub fn part(text: &str, range: TextRange) -> &str {
    let part = text.get(Range::<usize>::from(range));
    part.unwrap_or_else(|| panic!("{range:?} is no part of the text"))
}

/// Holds the tree and the faults of a text to all that is promised.
///
/// # Panics
/// When a promise is broken.
pub fn hold(text: &str, parse: &Parse) {
    let tree = &parse.tree;
    for id in tree.ids() {
        let node = tree.node(id);
        part(text, node.range);
        nested(tree, node);
        asked(tree, id);
    }
    scalars(text, parse);
    let mut last = TextSize::new(0);
    for comment in tree.comments() {
        assert!(part(text, *comment).starts_with('#'), "a comment without its mark");
        assert!(last <= comment.start(), "comments out of order");
        last = comment.end();
    }
    for skipped in tree.skipped() {
        part(text, *skipped);
    }
    for fault in &parse.faults {
        faulty(text, fault);
    }
    places(text, tree);
}

/// The nodes below a node, in the order of the text.
fn children(node: &Node) -> Vec<NodeId> {
    match &node.kind {
        NodeKind::Mapping(entries) => entries.iter().flat_map(|entry| [entry.key, entry.value]).collect(),
        NodeKind::Sequence(items) => items.clone(),
        _ => Vec::new(),
    }
}

fn nested(tree: &Tree, node: &Node) {
    let mut before = node.range.start();
    for child in children(node) {
        let child = tree.node(child);
        assert!(
            node.range.contains_range(child.range),
            "{node:?} does not hold {child:?}"
        );
        assert!(child.range.start() >= before, "{child:?} stands before its sibling");
        before = child.range.end();
    }
}

/// Whatever can be asked of a node has an answer, and an alias leads to a node that is none.
fn asked(tree: &Tree, id: NodeId) {
    let _ = (
        tree.value(id),
        tree.as_string(id),
        tree.as_int(id),
        tree.as_float(id),
        tree.as_bool(id),
    );
    let _ = tree.is_damaged(id);
    for entry in tree.entries(id) {
        assert!(entry.key.index() < tree.len() && entry.value.index() < tree.len());
    }
    let target = tree.resolve_alias(id);
    if let NodeKind::Alias(alias) = &tree.node(target).kind {
        assert!(
            alias.target.is_none() || alias.recursive,
            "an alias that leads to {alias:?}"
        );
    }
}

/// The map of a scalar stays in its node; where nothing is wrong it makes the same text of it.
fn scalars(text: &str, parse: &Parse) {
    let tree = &parse.tree;
    let clean = parse.faults.iter().all(|fault| fault.severity != Severity::Error);
    for id in tree.ids() {
        let node = tree.node(id);
        let map = tree.scalar_map(text, id);
        for at in [0, 1, map.text().len(), usize::MAX] {
            assert!(node.range.contains_inclusive(map.source(at)), "{node:?} at {at}");
        }
        let NodeKind::Scalar(scalar) = &node.kind else { continue };
        if clean {
            assert_eq!(map.text(), scalar.text.as_str(), "{node:?}");
        }
        // Long texts are looked at here and there: every place costs a search.
        let step = 1 + map.text().len() / 64;
        let mut last = node.range.start();
        for (at, c) in map.text().char_indices().step_by(step) {
            let range = map.source_range(at..at + c.len_utf8());
            part(text, range);
            assert!(range.start() >= last, "places of {node:?} go backwards at {at}");
            last = range.start();
        }
    }
}

fn faulty(text: &str, fault: &Fault) {
    part(text, fault.range);
    assert!(!fault.message.is_empty() && !fault.message.contains('\n'), "{fault:?}");
    for (range, _) in &fault.related {
        part(text, *range);
    }
    for fix in fault.fix.iter().chain(&fault.choices) {
        let mut last = TextSize::new(0);
        for (range, new) in &fix.edits {
            part(text, *range);
            assert!(
                !range.is_empty() || !new.is_empty(),
                "an edit of {fault:?} does nothing"
            );
            assert!(range.start() >= last, "edits of {fault:?} out of order");
            last = range.end();
        }
    }
}

/// From a place to the nodes there, and through lines and columns back to the place.
fn places(text: &str, tree: &Tree) {
    let index = LineIndex::new(text);
    let step = 1 + text.len() / 64;
    for (offset, _) in text.char_indices().step_by(step) {
        let at = TextSize::try_from(offset).unwrap_or_default();
        for id in tree.node_at(at) {
            assert!(tree.node(id).range.contains_inclusive(at));
        }
        let line_end = text.get(..offset).is_some_and(|t| t.ends_with('\r')) && text[offset..].starts_with('\n');
        if !(line_end || offset == 0 && text.starts_with('\u{FEFF}')) {
            assert_eq!(index.offset(index.line_col(at)), at, "line and column lead elsewhere");
        }
    }
}
