//! A story in one text, and what is said about it in one text.

use std::fmt::Write as _;
use std::sync::Arc;

use camino::Utf8Path;
use kitsoki_compiler::db::{Contents, Database, Db, MemorySystem};
use kitsoki_compiler::{pipeline, rules};
use kitsoki_diagnostics::fixes::{self, Which};
use kitsoki_diagnostics::{Diagnostic, Label, MemorySources, Sources};
use kitsoki_syntax::{FileId, LineIndex, Span};

/// A story whose room `a` is where it begins and whose rooms `b` and `end` end it.
pub const HEAD: &str = "app: { id: t, version: 0.1.0, title: T }
root: a
intents: { go: { examples: [go] }, back: { examples: [back] } }
";

/// The files of a text: `//- path` begins one, what stands before belongs to `app.yaml`.
pub fn files(text: &str) -> Vec<(String, String)> {
    let mut out = vec![("app.yaml".to_owned(), String::new())];
    for line in text.split_inclusive('\n') {
        match line.strip_prefix("//- ") {
            Some(path) => out.push((path.trim_end().to_owned(), String::new())),
            None => out.last_mut().unwrap().1.push_str(line),
        }
    }
    out
}

/// A story in memory.
pub struct Story {
    /// Everything that was read.
    pub db: Database,
    /// The files that were given, in order.
    files: Vec<(String, String)>,
}

impl Story {
    /// The story of some files.
    pub fn new(files: &[(String, String)]) -> Self {
        let system = MemorySystem::new(files.iter().map(|(path, text)| (format!("/s/{path}"), text.as_str())));
        system.set_env("HOME", "/home/author");
        Self {
            db: Database::new(Arc::new(system)),
            files: files.to_vec(),
        }
    }

    /// What is wrong with it.
    pub fn findings(&self) -> Vec<Diagnostic> {
        pipeline::findings(&self.db, self.db.file(Utf8Path::new("/s/app.yaml")))
    }

    fn place(&self, span: Span) -> String {
        let file = self.db.file_by_id(span.file).unwrap();
        let text = match file.contents(&self.db) {
            Contents::Text(text) => text.clone(),
            _ => "".into(),
        };
        let index = LineIndex::new(&text);
        let (start, end) = (index.line_col(span.range.start()), index.line_col(span.range.end()));
        let path = file.path(&self.db);
        let path = path.strip_prefix("/s").unwrap_or(path);
        if start.line == end.line {
            format!("{path}:{}:{}-{}", start.line, start.col, end.col)
        } else {
            format!("{path}:{}:{}-{}:{}", start.line, start.col, end.line, end.col)
        }
    }

    /// Everything that is said of the story, as one text.
    pub fn said(&self) -> String {
        let mut out = String::new();
        for finding in self.findings() {
            let rule = rules::registry().get(finding.rule).unwrap().id;
            let at = finding.primary.as_ref().map(|p| self.place(p.span)).unwrap_or_default();
            let _ = writeln!(out, "{} {rule} {at} {}", finding.severity.as_str(), finding.message);
            if let Some(Label { message, .. }) = finding.primary.as_ref().filter(|p| !p.message.is_empty()) {
                let _ = writeln!(out, "  here: {message}");
            }
            for label in &finding.labels {
                let _ = writeln!(out, "  also {}: {}", self.place(label.span), label.message);
            }
            for help in &finding.helps {
                let _ = writeln!(out, "  help: {help}");
            }
            for note in &finding.notes {
                let _ = writeln!(out, "  note: {note}");
            }
            for entrance in &finding.entrances {
                let _ = writeln!(out, "  {} from {}", entrance.way.as_str(), self.place(entrance.span));
            }
            for fix in &finding.fixes {
                let _ = write!(out, "  fix ({}): {}", fix.applicability.as_str(), fix.title);
                for edit in &fix.edits {
                    let _ = write!(out, "; {} becomes {:?}", self.place(edit.span), edit.text);
                }
                out.push('\n');
            }
        }
        out
    }

    /// The files after one pass of fixes.
    fn pass(&self, which: Which) -> Vec<(String, String)> {
        let findings = self.findings();
        let mut ids: Vec<FileId> = findings.iter().flat_map(Diagnostic::spans).map(|s| s.file).collect();
        ids.sort_unstable();
        ids.dedup();
        let sources = Texts(&self.db, MemorySources::new());
        let applied = fixes::apply(&findings, &sources, which);
        let mut out = self.files.clone();
        for (id, text) in applied.texts {
            let path = self
                .db
                .file_by_id(id)
                .unwrap()
                .path(&self.db)
                .strip_prefix("/s")
                .unwrap();
            out.iter_mut()
                .filter(|(p, _)| path == p)
                .for_each(|(_, t)| t.clone_from(&text));
        }
        out
    }
}

/// The texts of a database for [`fixes::apply`], which asks for nothing else.
struct Texts<'a>(&'a Database, MemorySources);

impl Sources for Texts<'_> {
    fn path(&self, file: FileId) -> &str {
        self.1.path(file)
    }

    fn text(&self, file: FileId) -> &str {
        self.0
            .file_by_id(file)
            .and_then(|f| f.contents(self.0).text())
            .map_or("", |t| t)
    }

    fn line_index(&self, file: FileId) -> &LineIndex {
        self.1.line_index(file)
    }

    fn quotable(&self, _: FileId) -> bool {
        true
    }
}

/// What is said of a story.
pub fn said(text: &str) -> String {
    Story::new(&files(text)).said()
}

/// What is said of a story whose manifest begins with [`HEAD`]; lines are those of the whole file.
pub fn said_of(body: &str) -> String {
    said(&format!("{HEAD}{body}"))
}

/// The files after fixes were applied until nothing changes.
pub fn fixed(text: &str, which: Which) -> Vec<(String, String)> {
    let mut now = files(text);
    for _ in 0..10 {
        let next = Story::new(&now).pass(which);
        if next == now {
            break;
        }
        now = next;
    }
    now
}
