//! The machine as the compiler sees it: the real files, and the variable that names the story library.
//!
//! Stories may name `@kitsoki/<name>` and `${KITSOKI_REPO}` without setting anything: inside of a checkout of the library
//! the variable names that checkout (`imports` 3.2).

use camino::{Utf8Path, Utf8PathBuf};
use kitsoki_compiler::db::{DirEntry, PathKind, ReadError, RealSystem, System};

/// The variable that names the library.
const REPO: &str = "KITSOKI_REPO";

/// The real files and environment.
#[derive(Debug)]
pub struct Machine {
    real: RealSystem,
    repo: Option<String>,
}

impl Machine {
    /// The machine as seen from `here`.
    #[must_use]
    pub fn new(here: &Utf8Path) -> Self {
        Self {
            real: RealSystem,
            repo: checkout(here).or_else(remembered),
        }
    }
}

/// The nearest folder whose `go.mod` names exactly the module `kitsoki`.
fn checkout(here: &Utf8Path) -> Option<String> {
    let names = |dir: &&Utf8Path| {
        let text = std::fs::read_to_string(dir.join("go.mod")).unwrap_or_default();
        let module = text.lines().find_map(|l| l.trim().strip_prefix("module "));
        module.is_some_and(|m| m.trim().trim_matches('"') == "kitsoki")
    };
    here.ancestors().find(names).map(ToString::to_string)
}

/// The path that the library's own program remembers.
fn remembered() -> Option<String> {
    let home = std::env::var("HOME").ok()?;
    let text = std::fs::read_to_string(Utf8PathBuf::from(home).join(".kitsoki/repo")).ok()?;
    let path = text.trim();
    Utf8Path::new(path).is_dir().then(|| path.to_owned())
}

impl System for Machine {
    fn read(&self, path: &Utf8Path) -> Result<Vec<u8>, ReadError> {
        self.real.read(path)
    }

    fn kind(&self, path: &Utf8Path) -> Option<PathKind> {
        self.real.kind(path)
    }

    fn list(&self, dir: &Utf8Path) -> Vec<DirEntry> {
        self.real.list(dir)
    }

    fn canonical(&self, path: &Utf8Path) -> Utf8PathBuf {
        self.real.canonical(path)
    }

    fn env(&self, name: &str) -> Option<String> {
        self.real
            .env(name)
            .or_else(|| self.repo.clone().filter(|_| name == REPO))
    }
}
