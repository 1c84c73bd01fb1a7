//! Where something stands: file ids, byte ranges and spans.
//!
//! Offsets are bytes of the file as read, a byte order mark included. Lines and columns exist only at the edge
//! (`LineIndex`); nothing between parsing and rendering counts them.

pub use text_size::{TextRange, TextSize};

/// A file of one compilation. The number means nothing outside the database that gave it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FileId(pub u32);

/// A byte range of one file: the currency of every stage and every finding.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Span {
    /// The file the range belongs to.
    pub file: FileId,
    /// Bytes of that file, end exclusive. An empty range marks a place where something is missing.
    pub range: TextRange,
}

impl Span {
    /// A span of `range` in `file`.
    #[must_use]
    pub fn new(file: FileId, range: TextRange) -> Self {
        Self { file, range }
    }

    /// The empty span at the start of a file: for findings about a file as a whole.
    #[must_use]
    pub fn start_of(file: FileId) -> Self {
        Self {
            file,
            range: TextRange::empty(TextSize::new(0)),
        }
    }
}

impl Ord for Span {
    /// By file, then by start, then by end.
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let key = |span: &Self| (span.file, span.range.start(), span.range.end());
        key(self).cmp(&key(other))
    }
}

impl PartialOrd for Span {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// A range from two byte offsets; offsets beyond 4 GB are cut off there.
pub fn range(start: usize, end: usize) -> TextRange {
    let start = size(start);
    TextRange::new(start, size(end).max(start))
}

/// A byte offset; one beyond 4 GB is cut off there.
pub(crate) fn size(offset: usize) -> TextSize {
    TextSize::new(u32::try_from(offset).unwrap_or(u32::MAX))
}

/// A part of a text; empty when the range does not fit to it.
pub(crate) fn slice(text: &str, range: TextRange) -> &str {
    text.get(std::ops::Range::<usize>::from(range)).unwrap_or_default()
}
