//! From a place in a scalar's text to its place in the source, for every way to write a scalar.
//!
//! Made on demand: only scalars with an expression or a template in them need it. The scalar is decoded a second time, with
//! the place of every piece noted down.

use std::ops::Range;

use crate::span::{size, slice};
use crate::{NodeId, NodeKind, Scalar, ScalarStyle, TextRange, TextSize, Tree};

/// Where each byte of a scalar's text comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScalarMap {
    pieces: Vec<Piece>,
    text: String,
    /// Where the text ends in the source.
    end: usize,
}

/// A run of the text: copied byte for byte, or made from another spelling.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Piece {
    decoded: usize,
    source: usize,
    source_len: usize,
    copied: bool,
}

impl ScalarMap {
    /// The source place of a byte of the text: of an escape its start. The end of the text is the end of its source.
    #[must_use]
    pub fn source(&self, decoded: usize) -> TextSize {
        if decoded >= self.text.len() {
            return size(self.end);
        }
        size(match self.piece(decoded) {
            Some(piece) if piece.copied => piece.source + (decoded - piece.decoded),
            Some(piece) => piece.source,
            None => self.end,
        })
    }

    /// The source of a part of the text. An escape counts with all its bytes.
    #[must_use]
    pub fn source_range(&self, decoded: Range<usize>) -> TextRange {
        let start = self.source(decoded.start);
        let Some(last) = decoded.end.checked_sub(1).filter(|last| *last >= decoded.start) else {
            return TextRange::empty(start);
        };
        let end = match self.piece(last.min(self.text.len().saturating_sub(1))) {
            Some(piece) if piece.copied => piece.source + (last.min(self.text.len()) - piece.decoded) + 1,
            Some(piece) => piece.source + piece.source_len,
            None => self.end,
        };
        TextRange::new(start, size(end.min(self.end)).max(start))
    }

    /// The text of the scalar, decoded once more.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    fn piece(&self, decoded: usize) -> Option<&Piece> {
        let behind = self.pieces.partition_point(|piece| piece.decoded <= decoded);
        behind.checked_sub(1).and_then(|last| self.pieces.get(last))
    }
}

impl Tree {
    /// The map of a scalar. `text` is the source of this tree. Anything but a scalar gives the map of an empty text.
    #[must_use]
    pub fn scalar_map(&self, text: &str, id: NodeId) -> ScalarMap {
        let node = self.node(id);
        let start = usize::from(node.range.start());
        let source = slice(text, node.range);
        let mut out = Writer {
            map: ScalarMap {
                pieces: Vec::new(),
                text: String::new(),
                end: start,
            },
        };
        if let NodeKind::Scalar(Scalar { style, text }) = &node.kind {
            match style {
                ScalarStyle::Plain => {
                    out.map.end = start + source.len();
                    out.flow(source, start, Quote::None);
                }
                ScalarStyle::Single => {
                    out.map.end = start + source.len().saturating_sub(1).max(1);
                    out.flow(inside(source), start + 1, Quote::Single);
                }
                ScalarStyle::Double => {
                    out.map.end = start + source.len().saturating_sub(1).max(1);
                    out.flow(inside(source), start + 1, Quote::Double);
                }
                ScalarStyle::Literal | ScalarStyle::Folded => {
                    out.map.end = start + source.len();
                    let stated = self.stated_indent(id);
                    out.block(source, start, stated, *style == ScalarStyle::Folded);
                    out.chomp(text);
                }
            }
        }
        out.map
    }
}

fn inside(source: &str) -> &str {
    let len = source.len();
    if len >= 2 {
        source.get(1..len - 1).unwrap_or_default()
    } else {
        ""
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Quote {
    None,
    Single,
    Double,
}

struct Writer {
    map: ScalarMap,
}

impl Writer {
    /// Copies a part of the source.
    fn copy(&mut self, text: &str, source: usize) {
        if text.is_empty() {
            return;
        }
        let decoded = self.map.text.len();
        let joins = self
            .map
            .pieces
            .last()
            .is_some_and(|last| last.copied && last.source + (decoded - last.decoded) == source);
        if !joins {
            self.map.pieces.push(Piece {
                decoded,
                source,
                source_len: text.len(),
                copied: true,
            });
        }
        self.map.text.push_str(text);
    }

    /// Writes what stands in another spelling in the source.
    fn make(&mut self, text: &str, source: usize, source_len: usize) {
        if text.is_empty() {
            return;
        }
        let decoded = self.map.text.len();
        self.map.pieces.push(Piece {
            decoded,
            source,
            source_len,
            copied: false,
        });
        self.map.text.push_str(text);
    }

    /// Plain and quoted scalars: lines are folded, blanks around line ends dropped, escapes resolved.
    fn flow(&mut self, source: &str, start: usize, quote: Quote) {
        let bytes = source.as_bytes();
        let mut at = 0;
        let mut run = 0;
        while let Some(byte) = bytes.get(at) {
            match (byte, quote) {
                (b'\n' | b'\r', _) => {
                    let before = source.get(run..at).unwrap_or_default();
                    self.copy(before.trim_end_matches([' ', '\t']), start + run);
                    at = self.fold(source, start, at, false);
                    run = at;
                }
                (b'\'', Quote::Single) => {
                    self.copy(source.get(run..at).unwrap_or_default(), start + run);
                    self.make("'", start + at, 2);
                    at += 2;
                    run = at;
                }
                (b'\\', Quote::Double) => {
                    self.copy(source.get(run..at).unwrap_or_default(), start + run);
                    at = self.escape(source, start, at);
                    run = at;
                }
                _ => at += 1,
            }
        }
        self.copy(source.get(run..).unwrap_or_default(), start + run);
    }

    /// A run of line ends at `at`: one is a blank, more are as many line feeds less one. Returns the place of the next text.
    fn fold(&mut self, source: &str, start: usize, at: usize, escaped: bool) -> usize {
        let (mut next, mut ends) = (at, 0_usize);
        let bytes = source.as_bytes();
        loop {
            match bytes.get(next) {
                Some(b'\r') if bytes.get(next + 1) == Some(&b'\n') => {
                    ends += 1;
                    next += 2;
                }
                Some(b'\n' | b'\r') => {
                    ends += 1;
                    next += 1;
                }
                Some(b' ' | b'\t') => next += 1,
                _ => break,
            }
        }
        let text = if ends > 1 {
            "\n".repeat(ends - 1)
        } else {
            " ".to_owned()
        };
        if !(escaped && ends == 1) {
            self.make(&text, start + at, next - at);
        }
        next
    }

    /// An escape of a double-quoted scalar. Returns the place behind it.
    fn escape(&mut self, source: &str, start: usize, at: usize) -> usize {
        let Some(byte) = source.as_bytes().get(at + 1) else {
            self.copy("\\", start + at);
            return at + 1;
        };
        let hex = |from: usize, len: usize| {
            source
                .get(from..from + len)
                .and_then(|digits| u32::from_str_radix(digits, 16).ok())
        };
        let mut long = |len: usize| {
            let first = hex(at + 2, len)?;
            let second = match source.get(at + 2 + len..at + 4 + len) {
                Some("\\u") if (0xD800..0xDC00).contains(&first) => hex(at + 4 + len, 4),
                _ => None,
            };
            let (code, end) = match second {
                Some(low @ 0xDC00..0xE000) => (0x10000 + ((first - 0xD800) << 10) + (low - 0xDC00), at + 8 + len),
                _ => (first, at + 2 + len),
            };
            let text = char::from_u32(code)?.to_string();
            self.make(&text, start + at, end - at);
            Some(end)
        };
        let text = match byte {
            b'x' => return long(2).unwrap_or(at + 2),
            b'u' => return long(4).unwrap_or(at + 2),
            b'U' => return long(8).unwrap_or(at + 2),
            b'\n' | b'\r' => return self.fold(source, start, at + 1, true),
            b'0' => "\0",
            b'a' => "\u{7}",
            b'b' => "\u{8}",
            b't' | b'\t' => "\t",
            b'n' => "\n",
            b'v' => "\u{B}",
            b'f' => "\u{C}",
            b'r' => "\r",
            b'e' => "\u{1B}",
            b' ' => " ",
            b'"' => "\"",
            b'/' => "/",
            b'\\' => "\\",
            b'N' => "\u{85}",
            b'_' => "\u{A0}",
            b'L' => "\u{2028}",
            b'P' => "\u{2029}",
            _ => return at + 1,
        };
        self.make(text, start + at, 2);
        at + 2
    }

    /// Block scalars, header first.
    fn block(&mut self, source: &str, start: usize, stated: Option<usize>, folded: bool) {
        let lines = lines(source);
        let content = lines.get(1..).unwrap_or_default();
        let indent = stated.unwrap_or_else(|| {
            content
                .iter()
                .filter_map(|line| source.get(line.clone()))
                .find(|line| !line.trim_matches(' ').is_empty())
                .map_or(0, |line| line.len() - line.trim_start_matches(' ').len())
        });
        let mut breaks: Option<(usize, usize)> = None;
        let mut before_more = false;
        let mut first = true;
        for line in content {
            let text = source.get(line.clone()).unwrap_or_default();
            let spaces = (text.len() - text.trim_start_matches(' ').len()).min(indent);
            let body = text.get(spaces..).unwrap_or_default();
            if body.is_empty() {
                // The line end of an empty line; the one of the text before is already waiting.
                let (at, count) = breaks.unwrap_or((start + line.start, 0));
                breaks = Some((at, count + 1));
                continue;
            }
            let more = body.starts_with([' ', '\t']);
            if let Some((at, count)) = breaks {
                let until = start + line.start + spaces - at;
                let text = match (folded && !more && !before_more && !first, count) {
                    (true, 1) => " ".to_owned(),
                    (true, count) => "\n".repeat(count - 1),
                    (false, count) => "\n".repeat(count),
                };
                self.make(&text, at, until);
            }
            self.copy(body, start + line.start + spaces);
            breaks = Some((start + line.end, 1));
            before_more = more;
            first = false;
        }
    }

    /// The line feeds at the end of a block scalar, which its header decides about.
    fn chomp(&mut self, whole: &str) {
        if let Some(rest) = whole.strip_prefix(self.map.text.as_str())
            && rest.bytes().all(|b| b == b'\n')
        {
            self.make(rest, self.map.end, 0);
        }
    }
}

/// The lines of a block scalar without their line ends.
fn lines(source: &str) -> Vec<Range<usize>> {
    let bytes = source.as_bytes();
    let (mut out, mut start, mut at) = (Vec::new(), 0, 0);
    while let Some(byte) = bytes.get(at) {
        at += 1;
        if matches!(byte, b'\n' | b'\r') {
            out.push(start..at - 1);
            if *byte == b'\r' && bytes.get(at) == Some(&b'\n') {
                at += 1;
            }
            start = at;
        }
    }
    out.push(start..source.len());
    out
}
