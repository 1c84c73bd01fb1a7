//! A story in memory, as renderers and fixes see it.
#![allow(dead_code, reason = "no test needs all of it")]

use std::collections::BTreeMap;
use std::sync::Arc;

use camino::Utf8Path;
use kitsoki_compiler::db::{Database, Db, MemorySystem};
use kitsoki_compiler::pipeline;
use kitsoki_diagnostics::fixes::{self, Which};
use kitsoki_diagnostics::{Diagnostic, Fix, Sources};
use kitsoki_syntax::{FileId, LineIndex};

/// Files by their path below the folder of the story.
pub type Files = Vec<(String, String)>;

/// A story with what is wrong with it.
pub struct Story {
    files: Files,
    /// What is wrong, as `check` reports it.
    pub findings: Vec<Diagnostic>,
    texts: BTreeMap<FileId, (String, Arc<str>, LineIndex)>,
    nothing: LineIndex,
}

impl Story {
    /// Checks the story whose manifest is `app.yaml`.
    pub fn check(files: &[(String, String)]) -> Self {
        let system = MemorySystem::new(files.iter().map(|(path, text)| (format!("/s/{path}"), text.as_str())));
        system.set_env("HOME", "/home/author");
        let db = Database::new(Arc::new(system));
        let findings = pipeline::findings(&db, db.file(Utf8Path::new("/s/app.yaml")));
        let mut texts = BTreeMap::new();
        for span in findings.iter().flat_map(Diagnostic::spans) {
            let Some(file) = db.file_by_id(span.file) else { continue };
            let text: Arc<str> = file.contents(&db).text().cloned().unwrap_or_else(|| "".into());
            let path = file.path(&db);
            let path = path.strip_prefix("/s").unwrap_or(path).to_string();
            texts.insert(span.file, (path, text.clone(), LineIndex::new(&text)));
        }
        Self {
            files: files.to_vec(),
            findings,
            texts,
            nothing: LineIndex::new(""),
        }
    }

    /// The files after the best fix of every finding that may be applied together with the others.
    pub fn fixed(&self, which: Which) -> Files {
        self.with(fixes::apply(&self.findings, self, which).texts)
    }

    /// The files after one fix alone.
    pub fn with_fix(&self, fix: &Fix) -> Files {
        let mut alone = self.findings.first().cloned().into_iter().collect::<Vec<_>>();
        alone.iter_mut().for_each(|f| f.fixes = vec![fix.clone().safe_if(true)]);
        self.with(fixes::apply(&alone, self, Which::Safe).texts)
    }

    fn with(&self, texts: BTreeMap<FileId, String>) -> Files {
        let mut out = self.files.clone();
        for (id, text) in texts {
            let path = self.path(id);
            out.iter_mut()
                .filter(|(p, _)| p == path)
                .for_each(|(_, t)| t.clone_from(&text));
        }
        out
    }
}

impl Sources for Story {
    fn path(&self, file: FileId) -> &str {
        self.texts.get(&file).map_or("", |f| f.0.as_str())
    }

    fn text(&self, file: FileId) -> &str {
        self.texts.get(&file).map_or("", |f| &f.1)
    }

    fn line_index(&self, file: FileId) -> &LineIndex {
        self.texts.get(&file).map_or(&self.nothing, |f| &f.2)
    }

    fn quotable(&self, _: FileId) -> bool {
        true
    }
}
