//! The files of a session as renderers see them.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use kitsoki_compiler::db::{Db, SourceFile};
use kitsoki_diagnostics::{Diagnostic, Sources};
use kitsoki_syntax::{FileId, LineIndex};

use crate::session::Session;

/// Texts, paths and line indexes of the files that findings name.
pub struct SessionSources {
    files: BTreeMap<FileId, Entry>,
    nothing: Entry,
}

struct Entry {
    path: String,
    text: Arc<str>,
    /// Made when a finding in the file is shown.
    index: OnceLock<LineIndex>,
    quotable: bool,
}

impl SessionSources {
    /// The files of `findings` and `files`. `named` are those that the user gave on the command line.
    #[must_use]
    pub fn new(session: &Session, findings: &[Diagnostic], files: &[SourceFile], named: &[SourceFile]) -> Self {
        let mut this = Self {
            files: BTreeMap::new(),
            nothing: Entry {
                path: String::new(),
                text: Arc::from(""),
                index: OnceLock::new(),
                quotable: false,
            },
        };
        for finding in findings {
            for span in finding.spans() {
                this.add(session, span.file, |file| session.quotable_text(file, named));
            }
        }
        for file in files {
            this.add(session, file.file_id(&session.db), |file| session.quotable(file, named));
        }
        this
    }

    fn add(&mut self, session: &Session, id: FileId, quotable: impl Fn(SourceFile) -> bool) {
        if self.files.contains_key(&id) {
            return;
        }
        let Some(file) = session.db.file_by_id(id) else { return };
        let text = session.text(file);
        let path = session.display(file.path(&session.db));
        let quotable = quotable(file);
        self.files.insert(
            id,
            Entry {
                path,
                text,
                index: OnceLock::new(),
                quotable,
            },
        );
    }

    fn entry(&self, file: FileId) -> &Entry {
        self.files.get(&file).unwrap_or(&self.nothing)
    }
}

impl Sources for SessionSources {
    fn path(&self, file: FileId) -> &str {
        &self.entry(file).path
    }

    fn text(&self, file: FileId) -> &str {
        &self.entry(file).text
    }

    fn line_index(&self, file: FileId) -> &LineIndex {
        let entry = self.entry(file);
        entry.index.get_or_init(|| LineIndex::new(&entry.text))
    }

    fn quotable(&self, file: FileId) -> bool {
        self.entry(file).quotable
    }
}
