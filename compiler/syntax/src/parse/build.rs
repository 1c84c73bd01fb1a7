//! Events to nodes: exact ranges, aliases as edges, the limits. No recursion; one pass.

use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use super::events::{Break, Event, Events, Place, Reason};
use crate::fault::{Fault, FaultKind};
use crate::span::{range, size, slice};
use crate::{
    Alias, Anchor, Entry, Limits, Node, NodeId, NodeKind, Scalar, ScalarStyle, Tag, TextRange, TextSize, Tree,
};

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
        aliased: 0,
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
    /// Aliases that were cut off.
    aliased: usize,
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

    /// Whether a tab stands where the line of a collection starts or between a dash and the collection: its column is
    /// anybody's guess.
    fn tab_before(&self, start: usize) -> bool {
        let before = self.text.get(..start).unwrap_or_default();
        let blanks = before.trim_end_matches([' ', '\t']);
        let gap = before.get(blanks.len()..).unwrap_or_default();
        match blanks.chars().next_back() {
            Some('-' | '?') => gap.contains('\t'),
            None | Some('\n' | '\r') => gap.starts_with('\t'),
            _ => false,
        }
    }

    fn close_all(&mut self) {
        while let Some(frame) = self.open.pop() {
            self.close(frame, None);
        }
    }

    /// Makes a node of a collection. `closed` is where its end stands, `None` when the text breaks off inside of it.
    fn close(&mut self, frame: Frame, closed: Option<usize>) {
        let (kind, end) = match frame.children {
            Children::Items(items) => (NodeKind::Sequence(items), frame.end),
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

    /// `{a:1}`: for YAML a key `a:1` without a value, for everybody else a pair.
    fn split_pair(&mut self, entry: &Entry) {
        let (key, value) = (self.tree.node(entry.key), self.tree.node(entry.value));
        let NodeKind::Scalar(Scalar {
            style: ScalarStyle::Plain,
            text,
        }) = &key.kind
        else {
            return;
        };
        let text = text.clone();
        let written = slice(self.text, key.range);
        let absent = value.range.is_empty() && value.range.start() == key.range.end();
        let Some((name, rest)) = text
            .split_once(':')
            .filter(|_| absent && key.tag.is_none() && written == text.as_str())
        else {
            return;
        };
        let is_word = name
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'));
        if name.is_empty() || !is_word || rest.is_empty() || rest.starts_with("//") || rest.starts_with(' ') {
            return;
        }
        let scalar = |text: &str| {
            NodeKind::Scalar(Scalar {
                style: ScalarStyle::Plain,
                text: text.into(),
            })
        };
        let (start, end) = (key.range.start(), key.range.end());
        let colon = start + TextSize::of(name);
        let behind = colon + TextSize::new(1);
        let (first, second) = (scalar(name), scalar(rest));
        let shown = name.to_owned();
        if let Some(node) = self.tree.nodes.get_mut(entry.key.index()) {
            node.kind = first;
            node.range = TextRange::new(start, colon);
        }
        if let Some(node) = self.tree.nodes.get_mut(entry.value.index()) {
            node.kind = second;
            node.range = TextRange::new(behind, end);
        }
        if self.faults.len() < MOST_FAULTS {
            let fault = Fault::warning(
                FaultKind::ColonTouchesValue,
                TextRange::new(start, end),
                format!("no blank behind the colon of `{}`", super::checks::shorten(&shown)),
                "other readers of YAML take this for one key",
            );
            let at = TextRange::empty(behind);
            self.faults
                .push(fault.fix("insert a blank behind the colon", true, at, " "));
        }
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

    fn anchor(&mut self, name: &str, place: &Place) {
        let Some(id) = self.last else { return };
        let name = SmolStr::new(name);
        self.names.insert(name.clone(), id);
        if self.open.last().is_some_and(|frame| frame.id == id) {
            self.open_anchors.insert(id);
        }
        if let Some(node) = self.tree.nodes.get_mut(id.index()) {
            node.anchor = Some(Box::new(Anchor {
                name,
                range: range(place.start, place.end),
            }));
        }
    }

    fn alias(&mut self, place: &Place) -> Result<(), Option<Reason>> {
        let at = range(place.start, place.end);
        let name = SmolStr::new(self.text.get(place.start + 1..place.end).unwrap_or_default());
        let mut target = self.names.get(&name).copied();
        let recursive = target.is_some_and(|id| self.open_anchors.contains(&id));
        let weight = match target {
            Some(id) if !recursive => self.weights.get(&id).copied().unwrap_or(1),
            _ => 1,
        };
        match target {
            None if self.faults.len() >= MOST_FAULTS => {}
            None => self.faults.push(self.unknown_alias(at, &name)),
            Some(_) if self.spent.saturating_add(weight) > self.limits.max_alias_expansion as u64 => {
                target = None;
                self.aliased += 1;
                if !self.over {
                    self.over = true;
                    self.faults.push(
                        Fault::error(
                            FaultKind::AliasBudget,
                            at,
                            format!(
                                "the aliases of this file stand for more than {} values",
                                self.limits.max_alias_expansion
                            ),
                            "with this one it is too much",
                        )
                        .help("write the shared part once and use fewer aliases to it"),
                    );
                }
            }
            Some(_) => self.spent = self.spent.saturating_add(weight),
        }
        let known = target.is_some();
        let id = self.push(
            NodeKind::Alias(Alias {
                name,
                target,
                recursive,
            }),
            at,
            place,
        )?;
        if !known {
            self.push(NodeKind::Error, at, place)?;
            self.last = Some(id);
        }
        self.place_in_parent(id, weight);
        Ok(())
    }

    fn unknown_alias(&self, at: TextRange, name: &str) -> Fault {
        let fault = Fault::error(
            FaultKind::UnknownAlias,
            TextRange::new(at.start() + TextSize::new(1), at.end()),
            format!("no anchor is called `&{name}`"),
            "an alias: a plain text cannot start with `*`",
        );
        if name.contains(['.', '/', '*', '{', '?']) {
            let text = slice(self.text, at);
            let quoted = format!("'{}'", text.replace('\'', "''"));
            return fault
                .help("quote it if it is meant as a text")
                .fix("put it in quotes", true, at, quoted);
        }
        fault.help("an anchor stands before its aliases; quote the value if it is meant as a text")
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

    /// Where a value that is not there would stand: behind its colon or dash, its tag, or its key.
    fn absent_at(&self, place: &Place) -> usize {
        if let Some((_, _, end)) = &place.tag {
            return *end;
        }
        let bytes = self.text.as_bytes();
        let is_key = matches!(
            self.open.last().map(|frame| &frame.children),
            Some(Children::Entries(_, None))
        );
        let ends = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b',' | b']' | b'}');
        if bytes.get(place.start) == Some(&b':') && bytes.get(place.start + 1).is_none_or(ends) {
            return place.start + usize::from(!is_key);
        }
        let before = self.text.get(..place.start).unwrap_or_default();
        let trimmed = before.trim_end_matches([' ', '\t', '\r', '\n']).len();
        // Not back into what stands before: the blank behind `- ` belongs to no one.
        trimmed
            .max(self.open.last().map_or(self.marker, |frame| frame.end.into()))
            .min(place.start)
    }

    /// A blanked part of the text with only blanks between it and `at`.
    fn skipped_behind(&self, at: usize) -> Option<TextRange> {
        let at = size(at);
        let next = self.skipped.partition_point(|skipped| skipped.start() < at);
        let skipped = *self.skipped.get(next)?;
        let between = slice(self.text, TextRange::new(at, skipped.start()));
        between.bytes().all(|b| b.is_ascii_whitespace()).then_some(skipped)
    }

    /// From the `|` or `>` to the end of the last line that has text.
    fn block_range(&self, style: ScalarStyle, text: &str, place: &Place) -> TextRange {
        let mark = if style == ScalarStyle::Literal { '|' } else { '>' };
        // Empty lines at the end are the header's business; blanks beyond the indentation are text.
        let mut content = self.text.get(place.start..place.end).unwrap_or_default();
        while !content.is_empty() {
            content = content.trim_end_matches(['\n', '\r']);
            let last = content.rfind(['\n', '\r']).map_or(0, |found| found + 1);
            let line = content.get(last..).unwrap_or_default();
            if line.is_empty() || line.len() > place.indent.unwrap_or(0) || line.bytes().any(|b| b != b' ') {
                break;
            }
            content = content.get(..last).unwrap_or_default();
        }
        let no_text = text.trim_end_matches('\n').is_empty();
        let end = if no_text {
            place.start
        } else {
            place.start + content.len()
        };
        let floor = self
            .open
            .last()
            .map_or(0, |frame| usize::from(frame.end))
            .max(self.behind)
            .min(place.start);
        let head = self.text.get(floor..place.start).unwrap_or_default();
        // The header line holds the mark, digits, signs and a comment; the mark is the last one outside of the comment.
        let header_start = self.header(head, mark).map_or(place.start, |found| floor + found);
        if end <= place.start {
            // No text: the header alone.
            let line = self.text.get(header_start..).unwrap_or_default();
            let len = line
                .bytes()
                .take_while(|b| !matches!(b, b' ' | b'\t' | b'\r' | b'\n' | b'#'))
                .count();
            return range(header_start, header_start + len);
        }
        range(header_start, end)
    }

    /// The block mark in the bytes between the node before and the content: the first one that is not part of a tag, an
    /// anchor or a comment.
    fn header(&self, head: &str, mark: char) -> Option<usize> {
        let mut word = true;
        let mut comment = false;
        for (at, c) in head.char_indices() {
            match c {
                '\n' | '\r' => {
                    comment = false;
                    word = true;
                }
                _ if comment => {}
                ' ' | '\t' => word = true,
                '\u{FEFF}' => {}
                '#' if word => comment = true,
                _ if c == mark && word => return Some(at),
                // A mark may touch the dash or colon before it only across a blank; a tag ends with one.
                _ => word = false,
            }
        }
        None
    }

    fn state_indent(&mut self, id: NodeId, at: TextRange, place: &Place) {
        let header = slice(self.text, at).bytes().skip(1).take(2);
        let stated = header.clone().any(|b| b.is_ascii_digit());
        if let (true, Some(indent)) = (stated, place.indent) {
            self.tree
                .stated_indents
                .insert(id, u32::try_from(indent).unwrap_or(u32::MAX));
        }
    }
}
