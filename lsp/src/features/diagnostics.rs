//! The findings of a story, as `kitsoki check` reports them: the same rules, suppressions, levels and order.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use camino::Utf8PathBuf;
use kitsoki_compiler::db::{Db, SourceFile};
use kitsoki_compiler::{pipeline, rules};
use kitsoki_diagnostics::{Diagnostic, Registry, Sources, suppress};
use kitsoki_syntax::{FileId, LineIndex, TextRange};

use super::Snapshot;

/// What was found in one story.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// The findings in the order of `check`.
    pub findings: Vec<Diagnostic>,
    /// The files that were read.
    pub files: Vec<SourceFile>,
}

/// Checks one story.
#[must_use]
pub fn of_story(snapshot: &Snapshot, root: SourceFile) -> Report {
    let db = &snapshot.db;
    let findings = pipeline::findings(db, root);
    let files = pipeline::files(db, root).to_vec();
    let sources = SnapshotSources::new(snapshot, &findings, &files);
    let ids: Vec<FileId> = files.iter().map(|f| f.file_id(db)).collect();
    // The texts are not searched for suppressions again after every key.
    let suppressing: Vec<FileId> = files
        .iter()
        .filter(|f| *may_suppress(db, **f))
        .map(|f| f.file_id(db))
        .collect();
    let comments = |id: FileId| -> Vec<TextRange> {
        db.file_by_id(id)
            .map(|f| pipeline::parse(db, f).tree.comments().to_vec())
            .unwrap_or_default()
    };
    let registry = REGISTRY.get_or_init(rules::registry);
    let findings: Vec<Diagnostic> = findings
        .into_iter()
        // What the client neither opened nor holds in its folders is not quoted.
        .map(|f| f.discreet(&sources, registry, "the workspace"))
        .collect();
    let findings = if suppressing.is_empty() {
        findings
    } else {
        suppress::apply(findings, &suppressing, &comments, &sources, registry)
    };
    let levels = snapshot.workspace.levels.as_ref().map(|l| l(root.path(db)));
    let mut findings = levels.unwrap_or_default().apply(findings);
    kitsoki_diagnostics::sort(&mut findings, ids);
    Report { findings, files }
}

static REGISTRY: OnceLock<Registry> = OnceLock::new();

/// Whether the comments of a file may allow something.
#[salsa::tracked(returns(ref))]
fn may_suppress(db: &dyn Db, file: SourceFile) -> bool {
    file.contents(db).text().is_some_and(|t| t.contains("kitsoki: allow"))
}

/// The files of findings as the suppressions see them.
pub struct SnapshotSources {
    files: BTreeMap<FileId, (String, Arc<str>, LineIndex, bool)>,
    nothing: LineIndex,
}

impl SnapshotSources {
    /// The files of findings, and those of a story that may hold suppressions.
    #[must_use]
    pub fn new(snapshot: &Snapshot, findings: &[Diagnostic], files: &[SourceFile]) -> Self {
        let db = &snapshot.db;
        let mut this = Self {
            files: BTreeMap::new(),
            nothing: LineIndex::new(""),
        };
        let system = db.system();
        let folders = snapshot.workspace.folders.iter();
        let homes: Vec<(&Utf8PathBuf, Utf8PathBuf)> = folders.map(|f| (f, system.canonical(f))).collect();
        let of_findings = findings.iter().flat_map(Diagnostic::spans);
        let suppressing = files.iter().filter(|f| *may_suppress(db, **f)).map(|f| f.file_id(db));
        let ids = suppressing.chain(of_findings.map(|s| s.file));
        for id in ids {
            if this.files.contains_key(&id) {
                continue;
            }
            let Some(file) = db.file_by_id(id) else { continue };
            let text = snapshot.text(file);
            // Only a text that may hold a suppression is asked for its lines.
            let index = if *may_suppress(db, file) {
                snapshot.lines(file).clone()
            } else {
                LineIndex::new("")
            };
            let path = file.path(db);
            this.files
                .insert(id, (path.to_string(), text, index, quotable(snapshot, &homes, file)));
        }
        this
    }
}

/// Whether a file may be quoted: it lies in an opened folder, links followed, or the client shows it. `homes` are the folders
/// with where they really are.
fn quotable(snapshot: &Snapshot, homes: &[(&Utf8PathBuf, Utf8PathBuf)], file: SourceFile) -> bool {
    let path = file.path(&snapshot.db);
    if snapshot.workspace.open.contains(path) || homes.is_empty() {
        return true;
    }
    let real = real_path(&snapshot.db, file);
    homes
        .iter()
        .any(|(folder, home)| path.starts_with(folder) && real.starts_with(home))
}

/// Where a file really is. A file that became a link holds another text: it is looked at again with it.
#[salsa::tracked(returns(ref))]
fn real_path(db: &dyn Db, file: SourceFile) -> Utf8PathBuf {
    let _ = file.contents(db);
    db.system().canonical(file.path(db))
}

impl Sources for SnapshotSources {
    fn path(&self, file: FileId) -> &str {
        self.files.get(&file).map_or("", |f| f.0.as_str())
    }

    fn text(&self, file: FileId) -> &str {
        self.files.get(&file).map_or("", |f| &f.1)
    }

    fn line_index(&self, file: FileId) -> &LineIndex {
        self.files.get(&file).map_or(&self.nothing, |f| &f.2)
    }

    fn quotable(&self, file: FileId) -> bool {
        self.files.get(&file).is_some_and(|f| f.3)
    }
}
