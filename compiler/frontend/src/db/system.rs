//! What the compiler asks of the outside: files, listings, environment. Three forms: the real one, one in memory for
//! tests, and an overlay of unsaved texts for editors.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::io::Read;
use std::panic::RefUnwindSafe;
use std::sync::{Arc, RwLock};

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};

/// What stands at a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PathKind {
    /// A regular file.
    File,
    /// A folder.
    Directory,
    /// A pipe, a device, a socket: never opened.
    Other,
}

/// One entry of a folder.
#[derive(Clone, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub struct DirEntry {
    /// Its name, without the folder.
    pub name: String,
    /// `true` for a folder (links followed).
    pub is_dir: bool,
}

/// Why a file could not be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReadError {
    /// Nothing is there.
    Missing,
    /// A folder, a pipe, a device.
    NotAFile(PathKind),
    /// Larger than the limit, in bytes.
    TooLarge(u64),
    /// The operating system's words.
    Other(String),
}

/// The outside world, as far as the compiler may see it. Paths are absolute and normalised.
pub trait System: Send + Sync + RefUnwindSafe + Debug {
    /// The bytes of a regular file. Pipes and devices are refused, never waited for.
    ///
    /// # Errors
    /// When there is no such file, or it cannot or must not be read.
    fn read(&self, path: &Utf8Path) -> Result<Vec<u8>, ReadError>;

    /// What stands at `path`, links followed.
    fn kind(&self, path: &Utf8Path) -> Option<PathKind>;

    /// The entries of a folder sorted by name; empty when there is none.
    fn list(&self, dir: &Utf8Path) -> Vec<DirEntry>;

    /// The path with links resolved; the path itself when that fails.
    fn canonical(&self, path: &Utf8Path) -> Utf8PathBuf;

    /// A variable of the environment.
    fn env(&self, name: &str) -> Option<String>;
}

/// The largest file that is read, in bytes.
const MAX_FILE: u64 = 256 << 20;

/// `path` without `.` and `..`, by text alone.
#[must_use]
pub fn normalize(path: &Utf8Path) -> Utf8PathBuf {
    let mut out = Utf8PathBuf::new();
    for part in path.components() {
        match part {
            Utf8Component::CurDir => {}
            Utf8Component::ParentDir => {
                if !out.pop() || out.as_str().is_empty() {
                    out = if path.is_absolute() {
                        Utf8PathBuf::from("/")
                    } else {
                        out
                    };
                }
            }
            other => out.push(other.as_str()),
        }
    }
    out
}

/// The machine's own files and environment.
#[derive(Debug, Default)]
pub struct RealSystem;

impl System for RealSystem {
    fn read(&self, path: &Utf8Path) -> Result<Vec<u8>, ReadError> {
        let convert = |e: std::io::Error| match e.kind() {
            std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory => ReadError::Missing,
            _ => ReadError::Other(e.to_string()),
        };
        match self.kind(path) {
            Some(PathKind::File) => {}
            Some(kind) => return Err(ReadError::NotAFile(kind)),
            None => return Err(ReadError::Missing),
        }
        let file = std::fs::File::open(path).map_err(convert)?;
        let length = file.metadata().map_err(convert)?.len();
        if length > MAX_FILE {
            return Err(ReadError::TooLarge(length));
        }
        let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or(0));
        // The bound also holds for a file that grows, or one under `/proc` that says it is empty.
        file.take(MAX_FILE).read_to_end(&mut bytes).map_err(convert)?;
        Ok(bytes)
    }

    fn kind(&self, path: &Utf8Path) -> Option<PathKind> {
        let meta = std::fs::metadata(path).ok()?;
        Some(if meta.is_dir() {
            PathKind::Directory
        } else if meta.is_file() {
            PathKind::File
        } else {
            PathKind::Other
        })
    }

    fn list(&self, dir: &Utf8Path) -> Vec<DirEntry> {
        let Ok(entries) = std::fs::read_dir(dir) else {
            return Vec::new();
        };
        let mut found: Vec<DirEntry> = entries
            .flatten()
            .filter_map(|e| {
                let name = e.file_name().into_string().ok()?;
                let is_dir = match e.file_type() {
                    Ok(kind) if kind.is_symlink() => std::fs::metadata(e.path()).is_ok_and(|m| m.is_dir()),
                    Ok(kind) => kind.is_dir(),
                    Err(_) => false,
                };
                Some(DirEntry { name, is_dir })
            })
            .collect();
        found.sort();
        found
    }

    fn canonical(&self, path: &Utf8Path) -> Utf8PathBuf {
        path.canonicalize_utf8().unwrap_or_else(|_| path.to_owned())
    }

    fn env(&self, name: &str) -> Option<String> {
        std::env::var(name).ok()
    }
}

/// Files in memory, for tests.
#[derive(Debug, Default)]
pub struct MemorySystem {
    files: RwLock<BTreeMap<Utf8PathBuf, Arc<[u8]>>>,
    env: RwLock<BTreeMap<String, String>>,
}

impl MemorySystem {
    /// Files by absolute path.
    pub fn new<P: Into<Utf8PathBuf>, T: AsRef<str>>(files: impl IntoIterator<Item = (P, T)>) -> Self {
        let this = Self::default();
        for (path, text) in files {
            this.write(&path.into(), text.as_ref());
        }
        this
    }

    /// Adds or replaces a file.
    pub fn write(&self, path: &Utf8Path, text: &str) {
        if let Ok(mut files) = self.files.write() {
            files.insert(normalize(path), Arc::from(text.as_bytes()));
        }
    }

    /// Takes a file away.
    pub fn remove(&self, path: &Utf8Path) {
        if let Ok(mut files) = self.files.write() {
            files.remove(&normalize(path));
        }
    }

    /// Sets a variable.
    pub fn set_env(&self, name: &str, value: &str) {
        if let Ok(mut env) = self.env.write() {
            env.insert(name.to_owned(), value.to_owned());
        }
    }
}

impl System for MemorySystem {
    fn read(&self, path: &Utf8Path) -> Result<Vec<u8>, ReadError> {
        let files = self.files.read().map_err(|e| ReadError::Other(e.to_string()))?;
        match files.get(path) {
            Some(bytes) => Ok(bytes.to_vec()),
            None if files.keys().any(|f| f.starts_with(path)) => Err(ReadError::NotAFile(PathKind::Directory)),
            None => Err(ReadError::Missing),
        }
    }

    fn kind(&self, path: &Utf8Path) -> Option<PathKind> {
        let files = self.files.read().ok()?;
        if files.contains_key(path) {
            Some(PathKind::File)
        } else {
            files.keys().any(|f| f.starts_with(path)).then_some(PathKind::Directory)
        }
    }

    fn list(&self, dir: &Utf8Path) -> Vec<DirEntry> {
        let Ok(files) = self.files.read() else {
            return Vec::new();
        };
        let mut found: Vec<DirEntry> = files
            .keys()
            .filter_map(|f| {
                let rest = f.strip_prefix(dir).ok()?;
                let mut parts = rest.components();
                let name = parts.next()?.as_str().to_owned();
                Some(DirEntry {
                    name,
                    is_dir: parts.next().is_some(),
                })
            })
            .collect();
        found.sort();
        found.dedup();
        found
    }

    fn canonical(&self, path: &Utf8Path) -> Utf8PathBuf {
        path.to_owned()
    }

    fn env(&self, name: &str) -> Option<String> {
        self.env.read().ok()?.get(name).cloned()
    }
}

/// Unsaved texts over another system: what an editor shows is the truth.
#[derive(Debug)]
pub struct OverlaySystem {
    below: Arc<dyn System>,
    texts: RwLock<BTreeMap<Utf8PathBuf, Arc<str>>>,
}

impl OverlaySystem {
    /// An overlay without texts.
    #[must_use]
    pub fn new(below: Arc<dyn System>) -> Self {
        Self {
            below,
            texts: RwLock::default(),
        }
    }

    /// Sets or removes the text of an open file.
    pub fn set(&self, path: &Utf8Path, text: Option<Arc<str>>) {
        if let Ok(mut texts) = self.texts.write() {
            match text {
                Some(text) => texts.insert(normalize(path), text),
                None => texts.remove(path),
            };
        }
    }

    fn text(&self, path: &Utf8Path) -> Option<Arc<str>> {
        self.texts.read().ok()?.get(path).cloned()
    }
}

impl System for OverlaySystem {
    fn read(&self, path: &Utf8Path) -> Result<Vec<u8>, ReadError> {
        match self.text(path) {
            Some(text) => Ok(text.as_bytes().to_vec()),
            None => self.below.read(path),
        }
    }

    fn kind(&self, path: &Utf8Path) -> Option<PathKind> {
        if self.text(path).is_some() {
            Some(PathKind::File)
        } else {
            self.below.kind(path)
        }
    }

    fn list(&self, dir: &Utf8Path) -> Vec<DirEntry> {
        let mut found = self.below.list(dir);
        if let Ok(texts) = self.texts.read() {
            let here = texts
                .keys()
                .filter(|p| p.parent() == Some(dir))
                .filter_map(|p| p.file_name());
            found.extend(here.map(|name| DirEntry {
                name: name.to_owned(),
                is_dir: false,
            }));
        }
        found.sort();
        found.dedup();
        found
    }

    fn canonical(&self, path: &Utf8Path) -> Utf8PathBuf {
        self.below.canonical(path)
    }

    fn env(&self, name: &str) -> Option<String> {
        self.below.env(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_are_resolved_by_text() {
        assert_eq!(normalize(Utf8Path::new("/a/./b/../c")), "/a/c");
        assert_eq!(normalize(Utf8Path::new("/../x")), "/x");
    }

    #[test]
    fn a_folder_in_memory_lists_its_children_once() {
        let system = MemorySystem::new([("/s/app.yaml", ""), ("/s/rooms/a.yaml", ""), ("/s/rooms/b.yaml", "")]);
        let names: Vec<_> = system
            .list(Utf8Path::new("/s"))
            .into_iter()
            .map(|e| (e.name, e.is_dir))
            .collect();
        assert_eq!(names, [("app.yaml".to_owned(), false), ("rooms".to_owned(), true)]);
        assert_eq!(system.kind(Utf8Path::new("/s/rooms")), Some(PathKind::Directory));
    }

    #[test]
    fn an_unsaved_text_hides_the_file_below() {
        let below = Arc::new(MemorySystem::new([("/s/app.yaml", "old")]));
        let system = OverlaySystem::new(below);
        system.set(Utf8Path::new("/s/app.yaml"), Some("new".into()));
        assert_eq!(system.read(Utf8Path::new("/s/app.yaml")), Ok(b"new".to_vec()));
        system.set(Utf8Path::new("/s/app.yaml"), None);
        assert_eq!(system.read(Utf8Path::new("/s/app.yaml")), Ok(b"old".to_vec()));
    }
}
