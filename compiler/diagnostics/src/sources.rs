//! What a renderer may ask about files.

use kitsoki_syntax::{FileId, LineIndex, Span};

use crate::sanitize;

/// The files behind spans.
pub trait Sources {
    /// The path for people and programs: relative to the current directory with `/`, absolute elsewhere.
    fn path(&self, file: FileId) -> &str;

    /// The text; empty when there is none.
    fn text(&self, file: FileId) -> &str;

    /// The line index of the text.
    fn line_index(&self, file: FileId) -> &LineIndex;

    /// Whether anything of the file may be shown. `false` for a file outside of the current directory that the user did
    /// not name: place and rule must do.
    fn quotable(&self, file: FileId) -> bool;
}

/// A span in lines and columns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The path.
    pub path: String,
    /// First line, from 1.
    pub line: u32,
    /// First column in characters, from 1.
    pub column: u32,
    /// First byte, from 0.
    pub offset: u32,
    /// Last line.
    pub end_line: u32,
    /// Column behind the last character.
    pub end_column: u32,
    /// Byte behind the last one.
    pub end_offset: u32,
}

/// Where a span is; clamped to its file. The path is as it is: a form for people makes it visible.
#[must_use]
pub fn place(sources: &dyn Sources, span: Span) -> Place {
    let range = sanitize::clamp(sources.text(span.file), span.range);
    let index = sources.line_index(span.file);
    let (start, end) = (index.line_col(range.start()), index.line_col(range.end()));
    Place {
        path: sources.path(span.file).to_owned(),
        line: start.line,
        column: start.col,
        offset: range.start().into(),
        end_line: end.line,
        end_column: end.col,
        end_offset: range.end().into(),
    }
}

/// Sources in memory: file ids count from 0 in the order given.
#[derive(Debug)]
pub struct MemorySources {
    files: Vec<(String, String, LineIndex, bool)>,
    empty: LineIndex,
}

impl Default for MemorySources {
    fn default() -> Self {
        Self::new()
    }
}

impl MemorySources {
    /// Sources without files.
    #[must_use]
    pub fn new() -> Self {
        Self {
            files: Vec::new(),
            empty: LineIndex::new(""),
        }
    }

    /// Adds a file under the next id.
    pub fn add(&mut self, path: impl Into<String>, text: impl Into<String>, quotable: bool) -> FileId {
        let id = FileId(u32::try_from(self.files.len()).unwrap_or(u32::MAX));
        let text = text.into();
        let index = LineIndex::new(&text);
        self.files.push((path.into(), text, index, quotable));
        id
    }
}

impl Sources for MemorySources {
    fn path(&self, file: FileId) -> &str {
        self.files.get(file.0 as usize).map_or("", |f| f.0.as_str())
    }

    fn text(&self, file: FileId) -> &str {
        self.files.get(file.0 as usize).map_or("", |f| f.1.as_str())
    }

    fn line_index(&self, file: FileId) -> &LineIndex {
        self.files.get(file.0 as usize).map_or(&self.empty, |f| &f.2)
    }

    fn quotable(&self, file: FileId) -> bool {
        self.files.get(file.0 as usize).is_some_and(|f| f.3)
    }
}
