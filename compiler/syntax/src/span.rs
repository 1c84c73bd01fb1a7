//! Where something stands: file ids, byte ranges and spans.
//!
//! Offsets are bytes of the file as read, a byte order mark included. Lines and columns exist only at the edge
//! (`LineIndex`); nothing between parsing and rendering counts them.

pub use text_size::{TextRange, TextSize};

/// A file of one compilation. The number means nothing outside the database that gave it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FileId(pub u32);

/// A byte range of one file: the currency of every stage and every finding.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
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
        Self { file, range: TextRange::empty(TextSize::new(0)) }
    }
}
