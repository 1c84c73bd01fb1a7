//! One run of the compiler over some stories: a database, the findings of each story, and the sources behind them.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use kitsoki_compiler::db::{Contents, Database, Db, RealSystem, SourceFile, normalize};
use kitsoki_compiler::pipeline;
use kitsoki_diagnostics::Diagnostic;
use rayon::prelude::*;

/// A database over the real files, seen from the current directory.
pub struct Session {
    /// The database.
    pub db: Database,
    /// The current directory.
    pub here: Utf8PathBuf,
}

/// What was found in one story.
pub struct Checked {
    /// The manifest.
    pub root: SourceFile,
    /// Its findings; `None` after a fault of the compiler itself.
    pub findings: Option<Arc<[Diagnostic]>>,
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
            db: Database::new(Arc::new(RealSystem)),
            here,
        })
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
        let one = |db: &Database, root: SourceFile| {
            let run = || {
                let findings = pipeline::check(db, root).clone();
                (findings, pipeline::story(db, root).files.clone())
            };
            match std::panic::catch_unwind(AssertUnwindSafe(run)) {
                Ok((findings, files)) => Checked {
                    root,
                    findings: Some(findings),
                    files,
                },
                Err(_) => Checked {
                    root,
                    findings: None,
                    files: vec![root],
                },
            }
        };
        if let [root] = roots.as_slice() {
            return vec![one(&self.db, *root)];
        }
        let pool = rayon::ThreadPoolBuilder::new().stack_size(STACK).build();
        match pool {
            Ok(pool) => pool.install(|| {
                roots
                    .par_iter()
                    .map_with(Snapshot(self.db.clone()), |db, root| one(&db.0, *root))
                    .collect()
            }),
            Err(_) => roots.iter().map(|root| one(&self.db, *root)).collect(),
        }
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

    /// The text of a file, empty when it has none.
    #[must_use]
    pub fn text(&self, file: SourceFile) -> Arc<str> {
        match file.contents(&self.db) {
            Contents::Text(text) => text.clone(),
            _ => Arc::from(""),
        }
    }
}

/// A snapshot that may be handed to a thread.
#[derive(Clone)]
struct Snapshot(Database);
