//! One run of the compiler over some stories: a database, the findings of each story, and the sources behind them.

use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use camino::{Utf8Path, Utf8PathBuf};
use kitsoki_compiler::db::{Contents, Database, Db, OverlaySystem, SourceFile, normalize};
use kitsoki_compiler::pipeline;
use kitsoki_diagnostics::Diagnostic;
use rayon::Scope;
use rayon::prelude::*;
use rustc_hash::FxHashSet;

use crate::machine::Machine;

/// A database over the real files, seen from the current directory.
pub struct Session {
    /// The database.
    pub db: Database,
    /// The current directory.
    pub here: Utf8PathBuf,
    overlay: Option<Arc<OverlaySystem>>,
    /// Whether each story is checked once and then forgotten.
    once: bool,
}

/// What was found in one story.
pub struct Checked {
    /// Its findings; `None` after a fault of the compiler itself.
    pub findings: Option<Vec<Diagnostic>>,
    /// The files that were read.
    pub files: Vec<SourceFile>,
}

/// The stack of a worker: the nesting limit of the parser must fit, also in a debug build.
const STACK: usize = 64 << 20;

impl Session {
    /// A session in the current directory.
    ///
    /// # Errors
    /// When there is no current directory, or its name is not UTF-8.
    pub fn new() -> miette::Result<Self> {
        let here = std::env::current_dir().map_err(|e| miette::miette!("there is no current directory: {e}"))?;
        let here = Utf8PathBuf::from_path_buf(here)
            .map_err(|p| miette::miette!("the name of the current directory is not UTF-8: {}", p.display()))?;
        Ok(Self {
            db: Database::new(Arc::new(Machine::new(&here))),
            here,
            overlay: None,
            once: false,
        })
    }

    /// A session that sees another world than the machine's.
    #[cfg(test)]
    pub fn over(system: Arc<dyn kitsoki_compiler::db::System>, here: &str) -> Self {
        Self {
            db: Database::new(system),
            here: here.into(),
            overlay: None,
            once: true,
        }
    }

    /// A session that checks each story once: what only one story needs is not kept.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn once() -> miette::Result<Self> {
        Ok(Self {
            once: true,
            ..Self::new()?
        })
    }

    /// A session whose texts can be replaced without touching a file.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn with_overlay() -> miette::Result<Self> {
        let session = Self::new()?;
        let overlay = Arc::new(OverlaySystem::new(Arc::new(Machine::new(&session.here))));
        Ok(Self {
            db: Database::new(overlay.clone()),
            overlay: Some(overlay),
            ..session
        })
    }

    /// Replaces the text of a file in this session.
    pub fn overlay(&mut self, path: &Utf8Path, text: Option<&str>) {
        if let Some(overlay) = &self.overlay {
            overlay.set(path, text.map(Arc::from));
            self.db.refresh(path);
        }
    }

    /// Time and size of every file that was asked for; `None` for one that is not there.
    #[must_use]
    pub fn stamps(&self) -> BTreeMap<Utf8PathBuf, Option<(SystemTime, u64)>> {
        let stamp = |path: &Utf8Path| {
            let meta = std::fs::metadata(path).ok()?;
            Some((meta.modified().ok()?, meta.len()))
        };
        let mut out = BTreeMap::new();
        for file in self.db.known_files() {
            let path = file.path(&self.db).clone();
            // A folder's time changes with its entries: a new file that a pattern matches is seen.
            if let Some(dir) = path.parent() {
                out.insert(dir.to_owned(), stamp(dir));
            }
            let now = stamp(&path);
            out.insert(path, now);
        }
        out
    }

    /// The input for a path of the command line.
    #[must_use]
    pub fn file(&self, path: &Utf8Path) -> SourceFile {
        self.db.file(&normalize(&self.here.join(path)))
    }

    /// Checks stories side by side; a fault of the compiler in one of them leaves the others alone. In the order given.
    #[must_use]
    pub fn check(&self, paths: &[Utf8PathBuf]) -> Vec<Checked> {
        let roots: Vec<SourceFile> = paths.iter().map(|p| self.file(p)).collect();
        let once = self.once;
        let alone = roots.len() == 1;
        let one = |db: &Database, root: SourceFile| {
            let run = || {
                if once && alone {
                    return pipeline::findings_alone(db, root);
                }
                if once {
                    return pipeline::findings_once(db, root);
                }
                (pipeline::findings(db, root), pipeline::story(db, root).files.clone())
            };
            match std::panic::catch_unwind(AssertUnwindSafe(run)) {
                Ok((findings, files)) => Checked {
                    findings: Some(findings),
                    files,
                },
                Err(_) => Checked {
                    findings: None,
                    files: vec![root],
                },
            }
        };
        let Ok(pool) = rayon::ThreadPoolBuilder::new().stack_size(STACK).build() else {
            return roots.iter().map(|root| one(&self.db, *root)).collect();
        };
        let snapshot = Snapshot(self.db.clone());
        if let [root] = roots.as_slice() {
            // One story has many files: they are read side by side.
            let met = Mutex::default();
            pool.scope(|scope| read_ahead(scope, &met, snapshot, *root));
            let snapshot = Snapshot(self.db.clone());
            return vec![pool.install(move || one(&{ snapshot }.0, *root))];
        }
        pool.install(|| {
            roots
                .par_iter()
                .map_with(snapshot, |db, root| one(&db.0, *root))
                .collect()
        })
    }

    /// Does something with each of several stories, side by side; the results are in the order given.
    pub fn each<T: Send>(
        &self,
        paths: &[Utf8PathBuf],
        work: impl Fn(&Session, &Utf8PathBuf) -> T + Sync + Send,
    ) -> Vec<T> {
        if let [path] = paths {
            return vec![work(self, path)];
        }
        let Ok(pool) = rayon::ThreadPoolBuilder::new().stack_size(STACK).build() else {
            return paths.iter().map(|path| work(self, path)).collect();
        };
        let start = (Snapshot(self.db.clone()), self.here.clone());
        pool.install(move || {
            paths
                .par_iter()
                .map_with(start, |(db, here), path| {
                    let session = Session {
                        db: db.0.clone(),
                        here: here.clone(),
                        overlay: None,
                        once: false,
                    };
                    work(&session, path)
                })
                .collect()
        })
    }

    /// The path of a file for people and programs: relative to the current directory with `/`, absolute elsewhere.
    #[must_use]
    pub fn display(&self, path: &Utf8Path) -> String {
        path.strip_prefix(&self.here).unwrap_or(path).as_str().to_owned()
    }

    /// Whether a file may be quoted: it lies below the current directory, links followed, or the user named it.
    #[must_use]
    pub fn quotable(&self, file: SourceFile, named: &[SourceFile]) -> bool {
        if named.contains(&file) {
            return true;
        }
        let path = file.path(&self.db);
        if !path.starts_with(&self.here) {
            return false;
        }
        let system = self.db.system();
        system.canonical(path).starts_with(system.canonical(&self.here))
    }

    /// Whether the text that was read of a file may be quoted. Between reading and quoting a file may have become a link,
    /// or have been one: only what a file below the current directory holds now is quoted.
    #[must_use]
    pub fn quotable_text(&self, file: SourceFile, named: &[SourceFile]) -> bool {
        self.quotable(file, named) && (named.contains(&file) || self.holds_still(file))
    }

    #[cfg(target_os = "linux")]
    fn holds_still(&self, file: SourceFile) -> bool {
        use std::io::Read as _;
        use std::os::fd::AsRawFd as _;
        let Ok(mut open) = std::fs::File::open(file.path(&self.db)) else {
            return self.text(file).is_empty();
        };
        // Where the open file lies, whatever its path has become meanwhile.
        let place = std::fs::read_link(format!("/proc/self/fd/{}", open.as_raw_fd()));
        let here = self.db.system().canonical(&self.here);
        let mut text = Vec::new();
        place.is_ok_and(|p| p.starts_with(here.as_std_path()))
            && open.read_to_end(&mut text).is_ok()
            && text == self.text(file).as_bytes()
    }

    #[cfg(not(target_os = "linux"))]
    fn holds_still(&self, _: SourceFile) -> bool {
        true
    }

    /// The text of a file, empty when it has none.
    #[must_use]
    pub fn text(&self, file: SourceFile) -> Arc<str> {
        match file.contents(&self.db) {
            Contents::Text(text) => text.clone(),
            _ => Arc::from(""),
        }
    }
}

/// Most manifests of one story that are read side by side.
const READ_AHEAD: usize = 200;

/// Reads a manifest, what it includes and what it imports. Nothing comes of it but that the queries have been asked; a fault
/// of the compiler shows again where the result is wanted.
fn read_ahead<'s>(scope: &Scope<'s>, met: &'s Mutex<FxHashSet<SourceFile>>, db: Snapshot, file: SourceFile) {
    let new = met
        .lock()
        .is_ok_and(|mut met| met.len() < READ_AHEAD && met.insert(file));
    if !new {
        return;
    }
    let _ = std::panic::catch_unwind(AssertUnwindSafe(|| {
        for included in kitsoki_compiler::package::included(&db.0, file) {
            let db = db.clone();
            scope.spawn(move |_| {
                let _ = std::panic::catch_unwind(AssertUnwindSafe(|| {
                    let _ = pipeline::decoded(&db.0, included);
                }));
            });
        }
        for edge in pipeline::import_edges(&db.0, file).iter() {
            let (db, child) = (db.clone(), edge.child);
            scope.spawn(move |scope| read_ahead(scope, met, db, child));
        }
    }));
}

/// A snapshot that may be handed to a thread.
#[derive(Clone)]
struct Snapshot(Database);
