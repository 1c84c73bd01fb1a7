//! A tree to tokens in the order of the text: everything that is neither a space nor a line end, with the column it gets when
//! it stands first on its line.
//!
//! Nodes come from the tree; what stands between them can only be punctuation, comments and the lines that begin and end
//! documents. Anything else means that the tree does not tell the whole text, and the text is left alone.

use kitsoki_syntax::{FaultKind, Node, NodeId, NodeKind, Parse, ScalarStyle, TextRange, TextSize, Tree};
use rustc_hash::FxHashSet;

/// Spaces between a collection and what it holds.
pub(crate) const STEP: usize = 2;

/// A piece of the text that is kept as it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Token {
    pub kind: Kind,
    /// First byte.
    pub start: usize,
    /// Behind the last byte.
    pub end: usize,
    /// The column when it stands first on its line, outside of brackets.
    pub column: usize,
    /// It begins a pair or an item of a collection without brackets.
    pub entry: bool,
}

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// `-` or `?`.
    Mark,
    /// `:`; `glued` when nothing may come between it and the value.
    Colon { glued: bool },
    /// `,`
    Comma,
    /// `[` or `{`; `base` is the column of what holds it.
    Open { base: usize },
    /// `]` or `}`
    Close,
    /// `&name` or `!tag`.
    Property,
    /// `*name`.
    Alias,
    /// A text with or without quotes, maybe over several lines.
    Scalar,
    /// `|` or `>` with its signs; `column` is that of its content.
    Header,
    /// The content of a block text, from the line end behind the header to its last byte.
    Body(Body),
    /// `# …`
    Comment,
    /// `---` or `...`
    Marker,
    /// A line that starts with `%`.
    Directive,
}

/// What a block text needs to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Body {
    /// Spaces before its content now.
    pub from: usize,
    /// Spaces before its content then.
    pub to: usize,
    /// Blank lines behind it are part of it.
    pub keep: bool,
}

/// The tokens of a text; `None` when something in it is none.
pub(crate) fn of(text: &str, parse: &Parse) -> Option<Vec<Token>> {
    let glued = parse
        .faults
        .iter()
        .filter(|fault| fault.kind == FaultKind::ColonTouchesValue)
        .map(|fault| fault.range)
        .collect();
    let mut reader = Reader {
        text,
        tree: &parse.tree,
        glued,
        seen: FxHashSet::default(),
        at: if text.starts_with('\u{FEFF}') { 3 } else { 0 },
        colon: 0,
        comment: 0,
        tokens: Vec::new(),
    };
    for root in parse.tree.documents() {
        reader.node(*root, 0, None)?;
    }
    reader.gap(text.len(), 0)?;
    Some(reader.tokens)
}

struct Reader<'t> {
    text: &'t str,
    tree: &'t Tree,
    /// Colons that touch their value and count as colons only for us.
    glued: Vec<TextRange>,
    /// Bytes that begin an entry.
    seen: FxHashSet<usize>,
    at: usize,
    /// The column of a colon on its own line.
    colon: usize,
    /// The next comment.
    comment: usize,
    tokens: Vec<Token>,
}

impl Reader<'_> {
    fn push(&mut self, kind: Kind, start: usize, end: usize, column: usize) {
        let entry = self.seen.contains(&start);
        self.tokens.push(Token {
            kind,
            start,
            end,
            column,
            entry,
        });
        self.at = end;
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    fn is_blank_at(&self, at: usize) -> bool {
        matches!(self.byte(at), None | Some(b' ' | b'\t' | b'\n' | b'\r'))
    }

    fn at_margin(&self, at: usize) -> bool {
        at == 0 || matches!(self.byte(at - 1), Some(b'\n' | b'\r' | 0xBF))
    }

    /// Everything up to the next node. `column` is that of the collection around it.
    fn gap(&mut self, to: usize, column: usize) -> Option<()> {
        while self.at < to {
            let at = self.at;
            match self.byte(at)? {
                b' ' | b'\t' | b'\n' | b'\r' => self.at += 1,
                b'#' => {
                    let comment = *self.tree.comments().get(self.comment)?;
                    if usize::from(comment.start()) != at {
                        return None;
                    }
                    self.comment += 1;
                    let end = usize::from(comment.end());
                    let text = self.text.get(at..end)?;
                    self.push(Kind::Comment, at, at + text.trim_end().len(), column);
                    self.at = end;
                }
                b'-' | b'.' if self.at_margin(at) && self.is_marker(at) => self.push(Kind::Marker, at, at + 3, 0),
                b'%' if self.at_margin(at) => {
                    let line = self.text.get(at..)?;
                    let len = line.find(['\n', '\r']).unwrap_or(line.len());
                    let kept = line.get(..len)?.trim_end().len();
                    self.push(Kind::Directive, at, at + kept, 0);
                    self.at = at + len;
                }
                b'-' | b'?' => {
                    self.seen.insert(at);
                    self.push(Kind::Mark, at, at + 1, column);
                }
                b':' => {
                    let end = at + 1;
                    let glued = !self.is_blank_at(end) && self.touches(at);
                    self.push(Kind::Colon { glued }, at, end, self.colon);
                }
                b',' => self.push(Kind::Comma, at, at + 1, column),
                _ => return None,
            }
        }
        Some(())
    }

    fn is_marker(&self, at: usize) -> bool {
        matches!(self.text.get(at..at + 3), Some("---" | "...")) && self.is_blank_at(at + 3)
    }

    /// Whether the colon at `at` touches its value without being one for every reader.
    fn touches(&self, at: usize) -> bool {
        let at = TextSize::try_from(at).unwrap_or_default();
        self.glued.iter().any(|range| range.contains_inclusive(at))
            || self.tokens.last().is_some_and(|token| {
                matches!(token.kind, Kind::Scalar) && !matches!(self.byte(token.start), Some(b'"' | b'\''))
            })
    }

    /// A node with its properties. `column` is where a collection stands here; `pair` the column of the mapping around it.
    fn node(&mut self, id: NodeId, column: usize, pair: Option<usize>) -> Option<()> {
        let node = self.tree.node(id);
        let around = pair.unwrap_or_else(|| column.saturating_sub(STEP));
        let mut properties: Vec<TextRange> = node.tag.iter().map(|tag| tag.range).collect();
        properties.extend(node.anchor.iter().map(|anchor| anchor.range));
        properties.sort_by_key(|range| range.start());
        for range in properties {
            self.gap(range.start().into(), around)?;
            self.push(Kind::Property, range.start().into(), range.end().into(), column);
        }
        let (start, end) = (usize::from(node.range.start()), usize::from(node.range.end()));
        match &node.kind {
            NodeKind::Error => return None,
            NodeKind::Scalar(_) if start == end => return self.gap(start, around),
            NodeKind::Scalar(scalar) => {
                self.gap(start, around)?;
                match scalar.style {
                    ScalarStyle::Literal | ScalarStyle::Folded => self.block(id, node, column)?,
                    _ => self.push(Kind::Scalar, start, end, column),
                }
            }
            NodeKind::Alias(_) => {
                self.gap(start, around)?;
                self.push(Kind::Alias, start, end, column);
            }
            NodeKind::Mapping(entries) if !node.flow => {
                for entry in entries {
                    self.gap(self.start(entry.key), column)?;
                    let explicit = self
                        .tokens
                        .last()
                        .is_some_and(|last| last.kind == Kind::Mark && self.byte(last.start) == Some(b'?'));
                    let start = self.start(entry.key);
                    if !explicit {
                        self.seen.insert(start);
                    }
                    let step = if explicit { STEP } else { 0 };
                    self.node(entry.key, column + step, Some(column))?;
                    self.colon = column;
                    self.node(entry.value, column + STEP, Some(column))?;
                }
            }
            NodeKind::Sequence(items) if !node.flow => {
                for item in items {
                    self.gap(self.start(*item), column)?;
                    self.node(*item, column + STEP, None)?;
                }
            }
            kind => self.flow(kind, start, end, column, pair)?,
        }
        Some(())
    }

    /// A collection in brackets, or a pair without brackets in a list.
    fn flow(&mut self, kind: &NodeKind, start: usize, end: usize, column: usize, pair: Option<usize>) -> Option<()> {
        let around = pair.unwrap_or(column);
        self.gap(start, around)?;
        let bracket = matches!(
            (kind, self.byte(start)),
            (NodeKind::Sequence(_), Some(b'[')) | (NodeKind::Mapping(_), Some(b'{'))
        );
        if bracket {
            self.push(Kind::Open { base: around }, start, start + 1, column);
        }
        match kind {
            NodeKind::Mapping(entries) => {
                for entry in entries {
                    self.node(entry.key, column, Some(column))?;
                    self.node(entry.value, column, Some(column))?;
                }
            }
            NodeKind::Sequence(items) => {
                for item in items {
                    self.node(*item, column, Some(column))?;
                }
            }
            _ => return None,
        }
        if bracket {
            let close = end.checked_sub(1)?;
            self.gap(close, column)?;
            if !matches!(self.byte(close), Some(b']' | b'}')) {
                return None;
            }
            self.push(Kind::Close, close, end, column);
        }
        Some(())
    }

    /// A block text: its header, a comment behind it, its lines.
    fn block(&mut self, id: NodeId, node: &Node, column: usize) -> Option<()> {
        let (start, end) = (usize::from(node.range.start()), usize::from(node.range.end()));
        let source = self.text.get(start..end)?;
        let header = source
            .find([' ', '\t', '\n', '\r', '#'])
            .and_then(|len| source.get(..len))
            .unwrap_or(source);
        let keep = header.contains('+');
        let digit = header.bytes().find(u8::is_ascii_digit).map(|d| usize::from(d - b'0'));
        self.push(Kind::Header, start, start + header.len(), column);
        // The comment of the header belongs to the line, not to the text.
        let line = self.text.get(self.at..)?;
        let head = self.at + line.find(['\n', '\r']).unwrap_or(line.len());
        self.gap(head, column)?;
        let body_end = if keep { self.kept(end.max(head)) } else { end };
        if body_end <= head {
            return Some(());
        }
        let content = self.text.get(head..body_end)?;
        let from = match (digit, self.tree.stated_indent(id)) {
            (Some(_), Some(stated)) => stated,
            (Some(_), None) => return None,
            (None, _) => crate::blocks::indent(content),
        };
        // The outermost text has nothing around it that would give a column.
        let outermost = column == 0;
        let to = match digit {
            Some(digit) => column.saturating_sub(STEP) + digit,
            None if outermost => from,
            None => column,
        };
        self.push(Kind::Body(Body { from, to, keep }), head, body_end, column);
        Some(())
    }

    /// The end of the blank lines behind a block text that keeps them, without the last line end.
    fn kept(&self, from: usize) -> usize {
        let rest = self.text.get(from..).unwrap_or_default();
        let mut end = 0;
        let mut at = 0;
        for line in rest.split_inclusive(['\n']) {
            if !line.trim_matches([' ', '\t', '\r', '\n']).is_empty() {
                break;
            }
            if line.ends_with('\n') {
                let cut = line.strip_suffix("\r\n").or_else(|| line.strip_suffix('\n'));
                end = at + cut.map_or(0, str::len);
            } else {
                end = at + line.len();
            }
            at += line.len();
        }
        from + end
    }

    /// The first byte of a node with its properties.
    fn start(&self, id: NodeId) -> usize {
        let mut id = id;
        let mut start = usize::MAX;
        loop {
            let node = self.tree.node(id);
            let own = [
                node.tag.as_ref().map(|tag| tag.range.start()),
                node.anchor.as_ref().map(|anchor| anchor.range.start()),
            ];
            let own = own.into_iter().flatten().map(usize::from).min();
            start = start.min(own.unwrap_or(usize::MAX)).min(node.range.start().into());
            // The range of a mapping may start behind the properties of its first key.
            match &node.kind {
                NodeKind::Mapping(entries) if own.is_none() => match entries.first() {
                    Some(entry) => id = entry.key,
                    None => return start,
                },
                _ => return start,
            }
        }
    }
}
