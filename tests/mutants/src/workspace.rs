//! Files in memory with what the compiler says about them.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use kitsoki_compiler::db::{Database, Db, MemorySystem, SourceFile};
use kitsoki_compiler::pipeline;
use kitsoki_diagnostics::fixes::{self, Which};
use kitsoki_diagnostics::{Diagnostic, Level, Sources};
use kitsoki_syntax::{FileId, LineIndex, Span};

/// Where the stories lie.
const HOME: &str = "/stories";

/// The absolute path of a file.
#[must_use]
pub fn absolute(path: &str) -> Utf8PathBuf {
    Utf8Path::new(HOME).join(path)
}

/// The system of some files.
#[must_use]
pub fn system(files: &[(String, String)]) -> MemorySystem {
    let system = MemorySystem::new(files.iter().map(|(path, text)| (absolute(path), text)));
    system.set_env("HOME", "/home/author");
    system
}

/// A story with its findings.
pub struct Workspace {
    /// The database.
    pub db: Database,
    /// The manifest.
    pub root: SourceFile,
    /// What is wrong, as `check` reports it.
    pub findings: Vec<Diagnostic>,
    texts: BTreeMap<FileId, (String, Arc<str>, LineIndex)>,
    nothing: LineIndex,
}

impl Workspace {
    /// Checks a story.
    #[must_use]
    pub fn check(files: &[(String, String)], manifest: &str) -> Self {
        Self::of(Database::new(Arc::new(system(files))), manifest)
    }

    /// What a database says about a story.
    #[must_use]
    pub fn of(db: Database, manifest: &str) -> Self {
        let root = db.file(&absolute(manifest));
        let findings = pipeline::findings(&db, root);
        let mut texts = BTreeMap::new();
        for span in findings.iter().flat_map(Diagnostic::spans) {
            let Some(file) = db.file_by_id(span.file) else { continue };
            let text: Arc<str> = file.contents(&db).text().cloned().unwrap_or_else(|| "".into());
            let path = file.path(&db);
            let path = path.strip_prefix(HOME).unwrap_or(path).to_string();
            texts.insert(span.file, (path, text.clone(), LineIndex::new(&text)));
        }
        Self {
            db,
            root,
            findings,
            texts,
            nothing: LineIndex::new(""),
        }
    }

    /// The errors among the findings.
    pub fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        self.findings.iter().filter(|f| f.severity == Level::Error)
    }

    /// The findings as text, places by path: the same for the same findings, whatever numbers the files have.
    #[must_use]
    pub fn told(&self) -> String {
        let mut out = String::new();
        for finding in &self.findings {
            self.tell(finding, &mut out);
        }
        out
    }

    fn tell(&self, finding: &Diagnostic, out: &mut String) {
        let at = |span: Span| format!("{}@{:?}", self.path(span.file), span.range);
        let primary = finding.primary.as_ref().map(|p| (at(p.span), p.message.as_str()));
        let labels: Vec<_> = finding
            .labels
            .iter()
            .map(|l| (at(l.span), l.message.as_str()))
            .collect();
        let _ = writeln!(
            out,
            "{} {:?} {} {primary:?} {labels:?} {:?} {:?}",
            finding.rule, finding.severity, finding.message, finding.notes, finding.helps
        );
        for fix in &finding.fixes {
            let edits: Vec<_> = fix.edits.iter().map(|e| (at(e.span), e.text.as_str())).collect();
            let _ = writeln!(out, "  {} {:?} {edits:?}", fix.title, fix.applicability);
        }
    }

    /// The files after the best fix of every finding that may be applied together with the others.
    #[must_use]
    pub fn fixed(&self, files: &[(String, String)], which: Which) -> Vec<(String, String)> {
        let mut out = files.to_vec();
        for (id, text) in fixes::apply(&self.findings, self, which).texts {
            let path = self.path(id);
            for file in out.iter_mut().filter(|(p, _)| p == path) {
                file.1.clone_from(&text);
            }
        }
        out
    }
}

impl Sources for Workspace {
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
