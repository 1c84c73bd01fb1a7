//! Events to nodes: exact ranges, aliases as edges, the limits. No recursion; one pass.

/// Anchors and aliases.
mod aliases;
/// Pairs without a blank.
mod pairs;
/// Exact places.
mod places;

use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use super::events::{Break, Event, Events, Place, Reason};
use crate::fault::{Fault, FaultKind};
use crate::span::{range, size};
use crate::{Entry, Limits, Node, NodeId, NodeKind, Scalar, ScalarStyle, Tag, TextRange, TextSize, Tree};

/// Faults that are worth telling of one text.
const MOST_FAULTS: usize = 200;

/// What came out of one reading.
pub(super) struct Built {
    /// The tree of everything before the break.
    pub tree: Tree,
    /// Faults of the structure (aliases, limits), not of the syntax.
    pub faults: Vec<Fault>,
    /// Where the text stops to be YAML.
    pub broken: Option<Break>,
    /// The first marked document when an empty one stands before it.
    pub empty_before: Option<usize>,
    /// The brackets that were open at the break, innermost last.
    pub open_brackets: Vec<usize>,
    /// How far the nodes reach that were read before the break.
    pub read_to: usize,
}

/// Reads `text`; `skipped` are the blanked parts of it, in order.
pub(super) fn build(text: &str, limits: &Limits, skipped: &[TextRange]) -> Built {
    let mut builder = Builder {
        text,
        limits,
        skipped,
        tree: Tree::default(),
        faults: Vec::new(),
        open: Vec::new(),
        names: FxHashMap::default(),
        weights: FxHashMap::default(),
        open_anchors: FxHashSet::default(),
        last: None,
        spent: 0,
        over: false,
        documents: 0,
        marker: 0,
        behind: 0,
        empty_before: None,
    };
    let mut events = Events::new(text, limits);
    let mut broken = None;
    let mut read_to = 0;
    while let Some(next) = events.next() {
        match next {
            Err(error) => {
                broken = Some(error);
                break;
            }
            Ok((event, place)) => {
                read_to = place.end.max(read_to);
                if let Err(reason) = builder.event(event, &place) {
                    broken = reason.map(|reason| Break {
                        at: place.start,
                        reason,
                    });
                    break;
                }
            }
        }
    }
    // A pair in a list in brackets is a collection without brackets of its own.
    let is_bracket = |at: &usize| matches!(text.as_bytes().get(*at), Some(b'[' | b'{'));
    let open_brackets = builder
        .open
        .iter()
        .map(|frame| frame.start)
        .filter(is_bracket)
        .collect();
    builder.close_all();
    // Trees are kept as long as their files.
    builder.tree.nodes.shrink_to_fit();
    builder.tree.comments.shrink_to_fit();
    let Builder {
        tree,
        faults,
        empty_before,
        ..
    } = builder;
    Built {
        tree,
        faults,
        broken,
        empty_before,
        open_brackets,
        read_to,
    }
}

/// A collection that is being read.
struct Frame {
    id: NodeId,
    flow: bool,
    start: usize,
    children: Children,
    /// Behind the last child, for collections without brackets.
    end: TextSize,
    /// What aliases to this collection would stand for, up to now.
    weight: u64,
}

enum Children {
    Items(Vec<NodeId>),
    Entries(Vec<Entry>, Option<NodeId>),
}

struct Builder<'t> {
    text: &'t str,
    limits: &'t Limits,
    skipped: &'t [TextRange],
    tree: Tree,
    faults: Vec<Fault>,
    open: Vec<Frame>,
    /// The latest anchor of each name. Anchors of earlier documents stay visible (`language` 2.2).
    names: FxHashMap<SmolStr, NodeId>,
    /// Nodes that an anchored collection stands for.
    weights: FxHashMap<NodeId, u64>,
    open_anchors: FxHashSet<NodeId>,
    /// The node of the event before this one.
    last: Option<NodeId>,
    /// Nodes that aliases stand for, all together.
    spent: u64,
    over: bool,
    documents: usize,
    marker: usize,
    /// Behind the last node without children.
    behind: usize,
    empty_before: Option<usize>,
}

impl Builder<'_> {
    /// Takes one event. An error ends the reading.
    fn event(&mut self, event: Event<'_>, place: &Place) -> Result<(), Option<Reason>> {
        match event {
            Event::Document { marked } => {
                if marked && self.documents > 0 && self.tree.documents.is_empty() {
                    self.empty_before.get_or_insert(place.start);
                }
                self.documents += 1;
                self.marker = place.start;
            }
            Event::Anchor(name) => self.anchor(&name, place),
            Event::Alias => self.alias(place)?,
            Event::Scalar(text, style) => self.scalar(&text, style, place)?,
            Event::Mapping => self.start(place, Children::Entries(Vec::new(), None))?,
            Event::Sequence => self.start(place, Children::Items(Vec::new()))?,
            Event::End => {
                if let Some(frame) = self.open.pop() {
                    self.close(frame, Some(place.end));
                }
            }
        }
        Ok(())
    }

    fn push(&mut self, kind: NodeKind, at: TextRange, place: &Place) -> Result<NodeId, Option<Reason>> {
        if self.tree.nodes.len() >= self.limits.max_nodes {
            self.faults.push(
                Fault::error(
                    FaultKind::TooManyNodes,
                    at,
                    format!("more than {} values in one file", self.limits.max_nodes),
                    "from here on nothing is read",
                )
                .help("split the file and bring the parts together with `include:`"),
            );
            return Err(None);
        }
        let id = NodeId(u32::try_from(self.tree.nodes.len()).unwrap_or(u32::MAX));
        let tag = place.tag.as_ref().map(|(text, start, end)| {
            Box::new(Tag {
                text: text.into(),
                range: range(*start, *end),
            })
        });
        let flow = place.flow || self.open.last().is_some_and(|frame| frame.flow);
        self.tree.nodes.push(Node {
            kind,
            range: at,
            tag,
            anchor: None,
            flow,
        });
        self.last = Some(id);
        self.behind = self.behind.max(at.end().into());
        Ok(id)
    }

    fn start(&mut self, place: &Place, children: Children) -> Result<(), Option<Reason>> {
        if self.open.len() >= self.limits.max_depth {
            return Err(Some(Reason::Depth));
        }
        if !place.flow && self.tab_before(place.start) {
            return Err(Some(Reason::Tab));
        }
        let id = self.push(NodeKind::Error, range(place.start, place.end), place)?;
        let flow = place.flow;
        let end = size(place.end);
        self.open.push(Frame {
            id,
            flow,
            start: place.start,
            children,
            end,
            weight: 1,
        });
        Ok(())
    }

    fn close_all(&mut self) {
        while let Some(frame) = self.open.pop() {
            self.close(frame, None);
        }
    }

    /// Makes a node of a collection. `closed` is where its end stands, `None` when the text breaks off inside of it.
    fn close(&mut self, frame: Frame, closed: Option<usize>) {
        let (kind, end) = match frame.children {
            Children::Items(mut items) => {
                items.shrink_to_fit();
                (NodeKind::Sequence(items), frame.end)
            }
            Children::Entries(mut entries, key) => {
                if let Some(key) = key {
                    // The text breaks off behind a key: the tree keeps it, with nothing as its value.
                    let at = self.range_of(key).end();
                    let place = Place {
                        start: 0,
                        end: 0,
                        flow: frame.flow,
                        tag: None,
                        indent: None,
                    };
                    if let Ok(value) = self.push(NodeKind::Error, TextRange::empty(at), &place) {
                        entries.push(Entry { key, value });
                    }
                }
                if frame.flow {
                    entries.iter().for_each(|entry| self.split_pair(entry));
                }
                entries.shrink_to_fit();
                (NodeKind::Mapping(entries), frame.end)
            }
        };
        let end = match closed {
            Some(at) if frame.flow => size(at),
            _ => end,
        };
        if let Some(node) = self.tree.nodes.get_mut(frame.id.index()) {
            node.kind = kind;
            node.range = TextRange::new(node.range.start(), end.max(node.range.start()));
            if node.anchor.is_some() {
                self.open_anchors.remove(&frame.id);
                self.weights.insert(frame.id, frame.weight);
            }
        }
        self.place_in_parent(frame.id, frame.weight);
    }

    fn range_of(&self, id: NodeId) -> TextRange {
        self.tree.node(id).range
    }

    /// Hands a finished node to the collection around it, or makes it a document.
    fn place_in_parent(&mut self, id: NodeId, weight: u64) {
        let end = self.range_of(id).end();
        let Some(parent) = self.open.last_mut() else {
            let node = self.tree.node(id);
            let empty = node.range.is_empty() && node.tag.is_none() && matches!(node.kind, NodeKind::Scalar(_));
            if !empty {
                self.tree.documents.push(id);
            }
            return;
        };
        parent.end = parent.end.max(end);
        parent.weight = parent.weight.saturating_add(weight);
        match &mut parent.children {
            Children::Items(items) => items.push(id),
            Children::Entries(entries, key) => match key.take() {
                None => *key = Some(id),
                Some(key) => entries.push(Entry { key, value: id }),
            },
        }
    }

    fn scalar(&mut self, text: &str, style: ScalarStyle, place: &Place) -> Result<(), Option<Reason>> {
        let at = match style {
            ScalarStyle::Plain if place.start == place.end => {
                let at = self.absent_at(place);
                let is_key = matches!(
                    self.open.last().map(|frame| &frame.children),
                    Some(Children::Entries(_, None))
                );
                if let Some(skipped) = self.skipped_behind(at).filter(|_| !is_key) {
                    let id = self.push(NodeKind::Error, skipped, place)?;
                    self.place_in_parent(id, 1);
                    return Ok(());
                }
                TextRange::empty(size(at))
            }
            ScalarStyle::Literal | ScalarStyle::Folded => self.block_range(style, text, place),
            _ => range(place.start, place.end),
        };
        let id = self.push(
            NodeKind::Scalar(Scalar {
                style,
                text: text.into(),
            }),
            at,
            place,
        )?;
        if matches!(style, ScalarStyle::Literal | ScalarStyle::Folded) {
            self.state_indent(id, at, place);
        }
        self.place_in_parent(id, 1);
        Ok(())
    }
}
