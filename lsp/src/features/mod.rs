//! Editor features as pure functions of a snapshot and a place.

pub mod actions;
pub mod arcs;
pub mod completion;
pub mod context;
pub mod cursor;
pub mod declare;
pub mod definition;
pub mod diagnostics;
pub mod expand;
pub mod facts;
pub mod hints;
pub mod hover;
pub mod insert;
pub mod lenses;
pub mod links;
pub mod markdown;
pub mod rename;
pub mod rewrite;
pub mod semantic;
pub mod signature;
pub mod stories;
pub mod structure;
pub mod symbol_at;
pub mod symbols;

use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use kitsoki_compiler::db::{Contents, Database, Db, SourceFile};
use kitsoki_diagnostics::levels::Levels;
use kitsoki_syntax::{LineIndex, Span, TextRange, TextSize};

/// What the workspace says beside its files.
#[derive(Clone, Default)]
pub struct Workspace {
    /// The folders that the client opened. What lies outside is not quoted unless it is open.
    pub folders: Vec<Utf8PathBuf>,
    /// Every manifest that was found below them, sorted.
    pub stories: Vec<Utf8PathBuf>,
    /// The files that the client shows now.
    pub open: Vec<Utf8PathBuf>,
    /// The levels of rules for a story.
    pub levels: Option<Arc<dyn Fn(&Utf8Path) -> Levels + Send + Sync>>,
}

/// One state of everything: clones share it, none of them changes.
#[derive(Clone)]
pub struct Snapshot {
    /// Files and queries.
    pub db: Database,
    /// The workspace.
    pub workspace: Arc<Workspace>,
}

// A query that unwinds leaves nothing half done behind: salsa drops what it did not finish.
impl std::panic::UnwindSafe for Snapshot {}
impl std::panic::RefUnwindSafe for Snapshot {}

/// A place in a file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct At {
    /// The whole file.
    pub file: SourceFile,
    /// Bytes from its start.
    pub offset: TextSize,
}

/// A range of a whole file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    /// The whole file.
    pub file: SourceFile,
    /// Its bytes.
    pub range: TextRange,
}

impl Snapshot {
    /// The file at a path.
    #[must_use]
    pub fn file(&self, path: &Utf8Path) -> SourceFile {
        self.db.file(path)
    }

    /// The text of a file, empty when it has none.
    #[must_use]
    pub fn text(&self, file: SourceFile) -> Arc<str> {
        match file.contents(&self.db) {
            Contents::Text(text) => text.clone(),
            _ => Arc::from(""),
        }
    }

    /// The lines of a file.
    #[must_use]
    pub fn lines(&self, file: SourceFile) -> &LineIndex {
        line_index(&self.db, file)
    }

    /// The place of a span, in the whole file.
    #[must_use]
    pub fn place(&self, span: Span) -> Option<Place> {
        let span = kitsoki_compiler::db::whole_span(&self.db, span);
        let file = self.db.file_by_id(span.file)?;
        Some(Place {
            file,
            range: span.range,
        })
    }

    /// Ends the work at hand when a newer state has come.
    pub fn check_cancelled(&self) {
        salsa::Database::unwind_if_revision_cancelled(&self.db);
    }
}

/// The lines of a file, kept until its text changes.
#[salsa::tracked(returns(ref), no_eq, lru = 128)]
pub fn line_index(db: &dyn Db, file: SourceFile) -> LineIndex {
    LineIndex::new(file.contents(db).text().map_or("", |t| t))
}
