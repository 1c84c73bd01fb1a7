//! Faults of a text that the parser lets through: keys given twice, keys that are no scalars, merges of what is no mapping,
//! tags that do not fit, unquoted templates.

use super::{duplicates, template};
use crate::fault::{Fault, FaultKind};
use crate::span::{range, slice};
use crate::{Entry, Node, NodeId, NodeKind, Resolved, ScalarStyle, TextRange, Tree};

/// How many of one kind are worth telling in one file.
const MOST: usize = 100;

/// Looks at every node of a tree. Unquoted templates become [`NodeKind::Error`].
pub(super) fn check(text: &str, tree: &mut Tree, faults: &mut Vec<Fault>) {
    let mut cx = Checks {
        text,
        tree,
        faults: Vec::new(),
        broken: Vec::new(),
    };
    // Nodes come before what they hold.
    let mut in_flow = vec![false; tree.nodes.len()];
    for (index, node) in tree.nodes.iter().enumerate() {
        if cx.faults.len() >= MOST {
            break;
        }
        let id = NodeId(u32::try_from(index).unwrap_or(u32::MAX));
        cx.tag(id, node);
        cx.anchor(node);
        if let NodeKind::Mapping(entries) = &node.kind {
            cx.mapping(id, node, entries, in_flow.get(index).copied().unwrap_or_default());
        }
        if node.flow {
            for child in children(&node.kind) {
                if let Some(flag) = in_flow.get_mut(child.index()) {
                    *flag = true;
                }
            }
        }
    }
    let Checks {
        faults: found, broken, ..
    } = cx;
    for id in broken {
        if let Some(node) = tree.nodes.get_mut(id.index()) {
            node.kind = NodeKind::Error;
        }
    }
    faults.extend(found);
}

struct Checks<'t> {
    text: &'t str,
    tree: &'t Tree,
    faults: Vec<Fault>,
    broken: Vec<NodeId>,
}

impl Checks<'_> {
    fn mapping(&mut self, id: NodeId, node: &Node, entries: &[Entry], in_flow: bool) {
        let tree = self.tree;
        if entries.iter().any(|entry| is_collection(tree, entry.key)) {
            self.odd_keys(id, node, entries, in_flow);
        }
        for entry in entries {
            if is_missing(tree.node(entry.key)) {
                self.no_key(tree.node(entry.key), entry);
            }
            if tree.is_merge_key(entry.key) {
                self.merge(entry);
            }
        }
        self.faults.extend(duplicates::faults(self.text, tree, entries));
    }

    /// A mapping with a list or mapping as a key: nearly always `{{ … }}` without quotes.
    fn odd_keys(&mut self, id: NodeId, node: &Node, entries: &[Entry], in_flow: bool) {
        if slice(self.text, node.range).starts_with("{{") {
            self.faults.push(template::fault(self.text, node.range, in_flow));
            self.broken.push(id);
            return;
        }
        let tree = self.tree;
        for entry in entries.iter().filter(|entry| is_collection(tree, entry.key)) {
            let key = self.tree.node(entry.key);
            let what = match self.tree.node(self.tree.resolve_alias(entry.key)).kind {
                NodeKind::Sequence(_) => "a list",
                _ => "a mapping",
            };
            // `{{ x }}: y` in block style: the key is one mapping in another and has its own fault.
            if slice(self.text, key.range).starts_with("{{") {
                continue;
            }
            self.faults.push(
                Fault::error(
                    FaultKind::KeyNotScalar,
                    key.range,
                    format!("{what} cannot be a key"),
                    "a key is a name or a number",
                )
                .help("put the key in quotes if it is meant as a text"),
            );
            self.broken.push(entry.key);
        }
    }

    fn no_key(&mut self, key: &Node, entry: &Entry) {
        let start = usize::from(key.range.start());
        let end = usize::from(self.tree.node(entry.value).range.start()).max(start);
        let between = slice(self.text, range(start, end));
        let colon = start + between.find(':').unwrap_or(0);
        let at = if self.text.as_bytes().get(colon) == Some(&b':') {
            range(colon, colon + 1)
        } else {
            super::lines::char_at(self.text, start)
        };
        self.faults.push(
            Fault::error(
                FaultKind::KeyNotScalar,
                at,
                "a value without a key",
                "a key is expected before this",
            )
            .help("write the key before the colon, or quote the text if the colon belongs to it"),
        );
    }

    fn merge(&mut self, entry: &Entry) {
        let tree = self.tree;
        let mut wrong = None;
        let mut look = |id: NodeId| match (&tree.node(id).kind, tree.value(id)) {
            (NodeKind::Alias(alias), _) if alias.recursive => wrong = wrong.or(Some((id, true))),
            (_, Resolved::Mapping | Resolved::Error) => {}
            _ => wrong = wrong.or(Some((id, false))),
        };
        match &tree.node(tree.resolve_alias(entry.value)).kind {
            NodeKind::Sequence(items) => items.iter().for_each(|item| look(*item)),
            _ => look(entry.value),
        }
        let Some((id, recursive)) = wrong else { return };
        let node = tree.node(id);
        let at = if node.range.is_empty() {
            tree.node(entry.key).range
        } else {
            node.range
        };
        self.faults.push(if recursive {
            Fault::error(
                FaultKind::RecursiveAlias,
                at,
                "a mapping cannot be merged into itself",
                "stands for the mapping that it is in",
            )
        } else {
            let found = crate::typed::describe(tree.value(id));
            Fault::error(
                FaultKind::MergeNotMapping,
                at,
                format!("`<<` merges mappings, this is {found}"),
                "no mapping",
            )
            .help("name a mapping or a list of mappings; write `\"<<\"` for a key of that name")
        });
    }

    /// `!a && b`: the second half is an anchor for YAML, the first a tag.
    fn anchor(&mut self, node: &Node) {
        let Some(anchor) = node.anchor.as_ref().filter(|anchor| anchor.name.starts_with('&')) else {
            return;
        };
        let fault = Fault::error(
            FaultKind::Syntax,
            anchor.range,
            format!("`&{}` names an anchor here", shorten(&anchor.name)),
            "YAML reads `&` before a value as an anchor",
        );
        let start = node
            .tag
            .as_ref()
            .map_or(anchor.range, |tag| tag.range.cover(anchor.range))
            .start();
        let at = TextRange::new(start, node.range.end().max(anchor.range.end()));
        let whole = slice(self.text, at);
        self.faults.push(if whole.contains(['\n', '\r']) {
            fault.help("put the whole value in quotes")
        } else {
            fault.fix("put the whole value in quotes", false, at, template::quoted(whole))
        });
    }

    fn tag(&mut self, id: NodeId, node: &Node) {
        let Some(tag) = &node.tag else { return };
        let (wants, fits) = match (tag.text.as_str(), &node.kind) {
            ("!!map" | "!!omap" | "!!set", NodeKind::Scalar(_) | NodeKind::Sequence(_)) => (
                "a mapping",
                tag.text == "!!omap" && matches!(node.kind, NodeKind::Sequence(_)),
            ),
            ("!!seq", NodeKind::Scalar(_) | NodeKind::Mapping(_)) => ("a list", false),
            ("!!bool", NodeKind::Scalar(_)) => ("`true` or `false`", self.tree.value(id) != Resolved::Error),
            (
                "!!str" | "!!int" | "!!float" | "!!bool" | "!!null" | "!!binary" | "!!timestamp",
                NodeKind::Mapping(_) | NodeKind::Sequence(_),
            ) => ("a single value", false),
            _ => return,
        };
        if fits {
            return;
        }
        let found = match &node.kind {
            NodeKind::Mapping(_) => "a mapping".to_owned(),
            NodeKind::Sequence(_) => "a list".to_owned(),
            NodeKind::Scalar(scalar) if scalar.style == ScalarStyle::Plain && node.range.is_empty() => {
                "nothing".to_owned()
            }
            NodeKind::Scalar(scalar) => format!("`{}`", shorten(&scalar.text)),
            _ => "unreadable".to_owned(),
        };
        self.broken.push(id);
        // A word that is no truth value is the wrong one of the two.
        let at = if tag.text == "!!bool" && !node.range.is_empty() {
            node.range
        } else {
            tag.range
        };
        self.faults.push(
            Fault::error(
                FaultKind::TagMismatch,
                at,
                format!("`{}` stands before {wants}, not before {found}", tag.text),
                "tag and value do not fit to each other",
            )
            .help("remove the tag, or quote the value if it is meant as a text"),
        );
    }
}

fn is_collection(tree: &Tree, key: NodeId) -> bool {
    let key = tree.resolve_alias(key);
    matches!(tree.node(key).kind, NodeKind::Mapping(_) | NodeKind::Sequence(_))
}

/// A key that is not there at all.
pub(super) fn is_missing(key: &Node) -> bool {
    let bare = key.tag.is_none() && key.anchor.is_none();
    bare && key.range.is_empty() && matches!(key.kind, NodeKind::Scalar(_))
}

/// The nodes that a node holds, in order.
fn children(kind: &NodeKind) -> Vec<NodeId> {
    match kind {
        NodeKind::Mapping(entries) => entries.iter().flat_map(|entry| [entry.key, entry.value]).collect(),
        NodeKind::Sequence(items) => items.clone(),
        _ => Vec::new(),
    }
}

/// A text cut to what fits into a headline.
pub(super) fn shorten(text: &str) -> String {
    let mut short: String = text
        .chars()
        .take(40)
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}
