//! Files and listings as salsa inputs, found by path.

use std::fmt;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, RwLock};

use camino::{Utf8Path, Utf8PathBuf};
use dashmap::DashMap;
use kitsoki_syntax::FileId;

use super::system::{DirEntry, ReadError, System, normalize};

/// What a file holds.
#[derive(Clone, PartialEq, Debug)]
pub enum Contents {
    /// Good UTF-8.
    Text(Arc<str>),
    /// Bytes that are no UTF-8, with the fault that says where.
    NotText(Box<kitsoki_syntax::Fault>),
    /// It could not be read.
    Failed(ReadError),
}

impl Contents {
    /// The text, when there is one.
    #[must_use]
    pub fn text(&self) -> Option<&Arc<str>> {
        match self {
            Contents::Text(text) => Some(text),
            _ => None,
        }
    }
}

/// One file; also one that does not exist.
#[salsa::input(debug)]
pub struct SourceFile {
    /// The number of the file in spans.
    #[returns(copy)]
    pub id: u32,
    /// Absolute, normalised path.
    #[returns(ref)]
    pub path: Utf8PathBuf,
    /// What it holds now.
    #[returns(ref)]
    pub contents: Contents,
}

impl SourceFile {
    /// The file's number in spans.
    pub fn file_id(self, db: &dyn Db) -> FileId {
        FileId(self.id(db))
    }

    /// The folder of the file.
    pub fn dir(self, db: &dyn Db) -> &Utf8Path {
        self.path(db).parent().unwrap_or(Utf8Path::new("/"))
    }
}

/// The entries of one folder.
#[salsa::input(debug)]
pub struct Listing {
    /// The folder.
    #[returns(ref)]
    pub dir: Utf8PathBuf,
    /// Its entries, sorted.
    #[returns(ref)]
    pub entries: Vec<DirEntry>,
}

/// What queries need beside salsa.
#[salsa::db]
pub trait Db: salsa::Database {
    /// The file at a path (normalised here); read on first use.
    fn file(&self, path: &Utf8Path) -> SourceFile;

    /// The file behind a number of a span.
    fn file_by_id(&self, id: FileId) -> Option<SourceFile>;

    /// The listing of a folder; read on first use.
    fn listing(&self, dir: &Utf8Path) -> Listing;

    /// The outside.
    fn system(&self) -> &dyn System;
}

#[derive(Default)]
struct Files {
    by_path: DashMap<Utf8PathBuf, SourceFile>,
    by_id: RwLock<Vec<SourceFile>>,
    listings: DashMap<Utf8PathBuf, Listing>,
}

/// The database of one compilation or one editor session. Clones are snapshots for other threads.
#[salsa::db]
#[derive(Clone)]
pub struct Database {
    storage: salsa::Storage<Self>,
    files: Arc<AssertUnwindSafe<Files>>,
    system: Arc<dyn System>,
}

impl fmt::Debug for Database {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Database")
            .field("system", &self.system)
            .finish_non_exhaustive()
    }
}

impl Database {
    /// An empty database over `system`.
    #[must_use]
    pub fn new(system: Arc<dyn System>) -> Self {
        Self {
            storage: salsa::Storage::default(),
            files: Arc::default(),
            system,
        }
    }

    /// A database that tells `observe` about every query that runs; for benches and tests of the borders.
    #[must_use]
    pub fn observed(system: Arc<dyn System>, observe: Box<dyn Fn(salsa::Event) + Send + Sync + 'static>) -> Self {
        Self {
            storage: salsa::Storage::new(Some(observe)),
            files: Arc::default(),
            system,
        }
    }

    /// Reads a file again, when it has been used before: after a change on disk or in an editor. Returns `true` when
    /// anything is different.
    pub fn refresh(&mut self, path: &Utf8Path) -> bool {
        use salsa::Setter as _;
        let path = normalize(path);
        let mut changed = false;
        if let Some(file) = self.files.by_path.get(&path).map(|f| *f) {
            let contents = read(self.system.as_ref(), &path);
            if *file.contents(self) != contents {
                file.set_contents(self).to(contents);
                changed = true;
            }
        }
        if let Some(dir) = path.parent()
            && let Some(listing) = self.files.listings.get(dir).map(|l| *l)
        {
            let entries = self.system.list(dir);
            if *listing.entries(self) != entries {
                listing.set_entries(self).to(entries);
                changed = true;
            }
        }
        changed
    }

    /// Every file that a query has asked for.
    #[must_use]
    pub fn known_files(&self) -> Vec<SourceFile> {
        self.files.by_id.read().map(|f| f.clone()).unwrap_or_default()
    }
}

fn read(system: &dyn System, path: &Utf8Path) -> Contents {
    match system.read(path) {
        Err(error) => Contents::Failed(error),
        Ok(bytes) => match kitsoki_syntax::decode_utf8(&bytes) {
            Ok(text) => Contents::Text(Arc::from(text)),
            Err(fault) => Contents::NotText(Box::new(fault)),
        },
    }
}

#[salsa::db]
impl salsa::Database for Database {}

#[salsa::db]
impl Db for Database {
    fn file(&self, path: &Utf8Path) -> SourceFile {
        let path = normalize(path);
        if let Some(file) = self.files.by_path.get(&path) {
            return *file;
        }
        let contents = read(self.system.as_ref(), &path);
        // Two threads may have read; only one of them makes the input.
        *self.files.by_path.entry(path.clone()).or_insert_with(|| {
            let mut by_id = self
                .files
                .by_id
                .write()
                .unwrap_or_else(std::sync::PoisonError::into_inner);
            let id = u32::try_from(by_id.len()).unwrap_or(u32::MAX - 8);
            let file = SourceFile::new(self, id, path, contents);
            by_id.push(file);
            file
        })
    }

    fn file_by_id(&self, id: FileId) -> Option<SourceFile> {
        self.files.by_id.read().ok()?.get(id.0 as usize).copied()
    }

    fn listing(&self, dir: &Utf8Path) -> Listing {
        let dir = normalize(dir);
        if let Some(listing) = self.files.listings.get(&dir) {
            return *listing;
        }
        let entries = self.system.list(&dir);
        *self
            .files
            .listings
            .entry(dir.clone())
            .or_insert_with(|| Listing::new(self, dir, entries))
    }

    fn system(&self) -> &dyn System {
        self.system.as_ref()
    }
}
