//! Files and listings as salsa inputs, found by path.

use std::fmt;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, RwLock};

use camino::{Utf8Path, Utf8PathBuf};
use dashmap::{DashMap, DashSet};
use kitsoki_syntax::{FileId, Span, TextSize};
use rustc_hash::FxHashMap;
use salsa::Durability;

use super::chunks::{self, ChunkKey};
use super::system::{ReadError, System, normalize};
use super::unsettled::Words;
use crate::prose;
use crate::reading::Readings;

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
    /// Whether it could be read.
    fn is_there(&self) -> bool {
        !matches!(self, Contents::Failed(_))
    }

    /// The text, when there is one.
    #[must_use]
    pub fn text(&self) -> Option<&Arc<str>> {
        match self {
            Contents::Text(text) => Some(text),
            _ => None,
        }
    }
}

/// Where the pieces of a file begin, by their numbers in spans.
pub type Layout = Arc<FxHashMap<u32, u32>>;

pub use inputs::{Listing, SourceFile};

/// The inputs. Salsa makes functions without doc comments of its own.
#[allow(missing_docs)]
mod inputs {
    use std::sync::Arc;

    use camino::Utf8PathBuf;

    use super::{Contents, Layout};
    use crate::db::chunks::ChunkKey;
    use crate::db::system::DirEntry;

    /// One file; also one that does not exist; also a piece of a large one ([`crate::db::chunks`]).
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
        /// The pieces of a large file, in order; empty when it is read whole.
        #[returns(ref)]
        pub chunks: Arc<[SourceFile]>,
        /// For a piece: the number of the file it belongs to, and what it holds.
        #[returns(ref)]
        pub home: Option<(u32, ChunkKey)>,
        /// For a file in pieces: where each of them begins, by its number. Only what shows places may ask. One input for
        /// all of them: every key moves all that stands behind it.
        #[returns(ref)]
        pub layout: Layout,
        /// For a piece: what the author sees, when `contents` lags behind in words ([`crate::db::unsettled`]). Only what
        /// shows places may ask.
        #[returns(ref)]
        pub shown: Option<Arc<str>>,
        /// Whether an author changes it, or is about to: of the others nothing is kept beside what was made from them.
        #[returns(copy)]
        pub edited: bool,
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

    /// Where a piece begins in its file now; 0 for a whole file. Only what shows places may ask.
    pub fn offset(self, db: &dyn Db) -> TextSize {
        let starts = self.whole(db).layout(db);
        TextSize::new(starts.get(&self.id(db)).copied().unwrap_or(0))
    }

    /// The text that the author sees: `contents`, unless words of it wait. For what looks at a text by itself, never for queries
    /// of the compiler.
    pub fn shown_text(self, db: &dyn Db) -> Option<&Arc<str>> {
        self.shown(db).as_ref().or_else(|| self.contents(db).text())
    }

    /// The file a piece belongs to; the file itself when it is none.
    pub fn whole(self, db: &dyn Db) -> SourceFile {
        let home = self.home(db).as_ref().and_then(|(id, _)| db.file_by_id(FileId(*id)));
        home.unwrap_or(self)
    }
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

    /// Whether this is a session of edits: then results are kept in smaller pieces.
    fn editing(&self) -> bool;

    /// Texts that were read before.
    fn readings(&self) -> &Readings;
}

/// The place in the whole file for a place in a piece of it. Depends on where the piece begins now: for the edge that shows
/// places, never for queries.
#[must_use]
pub fn whole_span(db: &dyn Db, span: Span) -> Span {
    let Some(file) = db.file_by_id(span.file) else {
        return span;
    };
    let Some((home, _)) = file.home(db) else {
        return span;
    };
    let range = match (file.shown(db), file.contents(db).text()) {
        (Some(shown), Some(settled)) => prose::moved(settled, shown, span.range),
        _ => span.range,
    };
    Span::new(FileId(*home), range + file.offset(db))
}

/// What is edited and what the compiler reads of it. Above it stands what nobody edits; below it what only places and what is
/// shown depend on: words that wait, where pieces begin, the text of a file that is read in pieces. An edit below leaves
/// every result of the compiler as it is, without a look at what it was made from.
pub(super) const PIECE: Durability = Durability::MEDIUM;

/// The durability of the text of a file that is edited, read in these pieces.
fn whole_durability(pieces: &[SourceFile]) -> Durability {
    if pieces.is_empty() { PIECE } else { Durability::LOW }
}

#[derive(Default)]
struct Files {
    by_path: DashMap<Utf8PathBuf, SourceFile>,
    by_id: RwLock<Vec<SourceFile>>,
    listings: DashMap<Utf8PathBuf, Listing>,
    /// Pieces that their file does not consist of at the moment, by the number of the file: inputs live as long as the
    /// database, so that a file that is cut again gets them back.
    retired: DashMap<u32, FxHashMap<ChunkKey, SourceFile>>,
    /// The files that are expected to change.
    changing: DashSet<Utf8PathBuf>,
}

/// What a new piece is made of.
struct Piece<'a> {
    path: &'a Utf8Path,
    body: &'a str,
    home: u32,
    key: ChunkKey,
}

/// The database of one compilation or one editor session. Clones are snapshots for other threads.
#[salsa::db]
#[derive(Clone)]
pub struct Database {
    storage: salsa::Storage<Self>,
    files: Arc<AssertUnwindSafe<Files>>,
    system: Arc<dyn System>,
    /// Large files are cut into pieces, so that edits are cheap.
    editing: bool,
    /// The pieces whose words wait ([`super::unsettled`]).
    pub(super) unsettled: Vec<SourceFile>,
    readings: Arc<Readings>,
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
            editing: false,
            unsettled: Vec::new(),
            readings: Arc::default(),
        }
    }

    /// A database for a session of edits: large files are cut into pieces ([`crate::db::chunks`]).
    #[must_use]
    pub fn for_editing(system: Arc<dyn System>) -> Self {
        let mut this = Self::new(system);
        this.editing = true;
        this
    }

    /// A database that tells `observe` about every query that runs; for benches and tests of the borders.
    #[must_use]
    pub fn observed(system: Arc<dyn System>, observe: Box<dyn Fn(salsa::Event) + Send + Sync + 'static>) -> Self {
        Self {
            storage: salsa::Storage::new(Some(observe)),
            files: Arc::default(),
            system,
            editing: true,
            unsettled: Vec::new(),
            readings: Arc::default(),
        }
    }

    /// Reads a file again, when it has been used before: after a change on disk or in an editor. Returns `true` when
    /// anything is different.
    pub fn refresh(&mut self, path: &Utf8Path) -> bool {
        self.read_again(path, Words::Now)
    }

    /// Frees the results that newer ones have taken the place of, and those of stories that have not been looked at for long.
    /// Otherwise the next change does it first, while somebody waits. Waits for every snapshot: for a moment in which there is none.
    pub fn tidy(&mut self) {
        salsa::Database::trigger_lru_eviction(self);
    }

    /// Says that a file is going to be edited, best before it is used: the first edit of one that was thought of as never
    /// changing looks at everything again.
    pub fn expect_changes(&mut self, path: &Utf8Path) {
        use salsa::Setter as _;
        let path = normalize(path);
        if !self.files.changing.insert(path.clone()) {
            return;
        }
        let Some(file) = self.files.by_path.get(&path).map(|f| *f) else {
            return;
        };
        let pieces = file.chunks(self).clone();
        let whole = whole_durability(&pieces);
        for (input, durability) in pieces.iter().map(|p| (*p, PIECE)).chain([(file, whole)]) {
            let contents = input.contents(self).clone();
            input.set_contents(self).with_durability(durability).to(contents);
        }
        file.set_chunks(self).with_durability(PIECE).to(pieces);
        file.set_edited(self).with_durability(Durability::HIGH).to(true);
    }

    pub(super) fn read_again(&mut self, path: &Utf8Path, words: Words) -> bool {
        use salsa::Setter as _;
        let path = normalize(path);
        let mut changed = false;
        let mut stays = false;
        if let Some(file) = self.files.by_path.get(&path).map(|f| *f) {
            let contents = read(self.system.as_ref(), &path);
            stays = file.contents(self).is_there() && contents.is_there();
            if *file.contents(self) != contents {
                if !file.edited(self) {
                    file.set_edited(self).with_durability(Durability::HIGH).to(true);
                }
                self.cut_again(file, &contents, words);
                let durability = whole_durability(file.chunks(self));
                file.set_contents(self).with_durability(durability).to(contents);
                changed = true;
            }
        }
        // A folder is looked at again when an entry may have come or gone.
        if !stays
            && let Some(dir) = path.parent()
            && let Some(listing) = self.files.listings.get(dir).map(|l| *l)
        {
            let entries = self.system.list(dir);
            if *listing.entries(self) != entries {
                listing.set_entries(self).with_durability(PIECE).to(entries);
                changed = true;
            }
        }
        changed
    }

    /// Changes the one piece of a file in which a new text differs, when it is cut off as before. Most edits are such.
    fn change_one_piece(&mut self, file: SourceFile, contents: &Contents, words: Words) -> Option<()> {
        use salsa::Setter as _;
        let (before, now) = (file.contents(self).text()?.clone(), contents.text()?);
        if chunks::is_small(now) {
            return None;
        }
        let (old, _) = prose::difference(&before, now);
        let pieces = file.chunks(self).clone();
        let layout = file.layout(self).clone();
        let start = |piece: &SourceFile| layout.get(&piece.id(self)).copied();
        let after = pieces.partition_point(|p| start(p).is_some_and(|at| at as usize <= old.start));
        let piece = *pieces.get(after.checked_sub(1)?)?;
        let from = start(&piece)?;
        let end = match pieces.get(after) {
            Some(next) => start(next)? as usize,
            None => before.len(),
        };
        let now_end = (end + now.len()).checked_sub(before.len())?;
        let (was, body) = (before.get(from as usize..end)?, now.get(from as usize..now_end)?);
        let (_, key) = piece.home(self).clone()?;
        if old.end > end || !chunks::stays(&key, was, body) {
            return None;
        }
        self.change_piece(piece, &key, body, words);
        if now.len() != before.len() {
            let moved = |at: u32| {
                if at > from {
                    u32::try_from(at as usize + now.len() - before.len()).unwrap_or(u32::MAX)
                } else {
                    at
                }
            };
            let layout: FxHashMap<u32, u32> = layout.iter().map(|(id, at)| (*id, moved(*at))).collect();
            file.set_layout(self)
                .with_durability(Durability::LOW)
                .to(Arc::new(layout));
        }
        Some(())
    }

    /// Cuts a changed file again; pieces that are the same stay the same inputs.
    fn cut_again(&mut self, file: SourceFile, contents: &Contents, words: Words) {
        use salsa::Setter as _;
        if self.change_one_piece(file, contents, words).is_some() {
            return;
        }
        let text = contents.text().filter(|_| self.editing);
        let cut = text.and_then(|text| Some((text, chunks::split(text)?)));
        let old: Arc<[SourceFile]> = file.chunks(self).clone();
        let home = file.id(self);
        let mut known: FxHashMap<ChunkKey, SourceFile> = old
            .iter()
            .filter_map(|c| Some((c.home(self).as_ref()?.1.clone(), *c)))
            .collect();
        known.extend(
            self.files
                .retired
                .remove(&home)
                .into_iter()
                .flat_map(|(_, pieces)| pieces),
        );
        let Some((text, cut)) = cut else {
            if !old.is_empty() {
                file.set_chunks(self).with_durability(PIECE).to(Arc::from([]));
                file.set_layout(self)
                    .with_durability(Durability::LOW)
                    .to(Layout::default());
            }
            self.retire(home, known);
            return;
        };
        let path = file.path(self).clone();
        let mut now = Vec::with_capacity(cut.len());
        let mut layout = FxHashMap::default();
        for chunk in cut {
            let body = text.get(chunk.range.clone()).unwrap_or_default();
            match known.remove(&chunk.key) {
                Some(piece) => {
                    self.change_piece(piece, &chunk.key, body, words);
                    now.push(piece);
                }
                None => {
                    let mut ids = self
                        .files
                        .by_id
                        .write()
                        .unwrap_or_else(std::sync::PoisonError::into_inner);
                    now.push(self.new_piece(
                        &mut ids,
                        &Piece {
                            path: &path,
                            body,
                            home,
                            key: chunk.key,
                        },
                    ));
                }
            }
            let start = u32::try_from(chunk.range.start).unwrap_or(u32::MAX);
            layout.extend(now.last().map(|piece| (piece.id(self), start)));
        }
        if *old != *now {
            file.set_chunks(self).with_durability(PIECE).to(Arc::from(now));
        }
        if **file.layout(self) != layout {
            file.set_layout(self)
                .with_durability(Durability::LOW)
                .to(Arc::new(layout));
        }
        self.retire(home, known);
    }

    fn retire(&self, home: u32, pieces: FxHashMap<ChunkKey, SourceFile>) {
        if !pieces.is_empty() {
            self.files.retired.insert(home, pieces);
        }
    }

    /// A new input. Files are thought of as never changing until they do, or until that is expected: what rests on such
    /// files alone is not looked through after every key.
    fn input(
        &self,
        id: u32,
        path: &Utf8Path,
        contents: Contents,
        chunks: Arc<[SourceFile]>,
        home: Option<(u32, ChunkKey)>,
        layout: Layout,
    ) -> SourceFile {
        let edited = self.files.changing.contains(path);
        let (durability, whole) = if edited {
            (PIECE, whole_durability(&chunks))
        } else {
            (Durability::HIGH, Durability::HIGH)
        };
        SourceFile::builder(id, path.to_owned(), contents, chunks, home, layout, None, edited)
            .durability(durability)
            .edited_durability(Durability::HIGH)
            .contents_durability(whole)
            .layout_durability(Durability::LOW)
            .shown_durability(Durability::LOW)
            .new(self)
    }

    /// A piece of the file numbered `home`, under the next number.
    fn new_piece(&self, ids: &mut Vec<SourceFile>, file: &Piece<'_>) -> SourceFile {
        let id = u32::try_from(ids.len()).unwrap_or(u32::MAX - 8);
        let contents = Contents::Text(Arc::from(file.body));
        let home = Some((file.home, file.key.clone()));
        let piece = self.input(id, file.path, contents, Arc::from([]), home, Layout::default());
        ids.push(piece);
        piece
    }

    /// A file with its pieces, under the next numbers.
    fn new_file(&self, path: &Utf8Path, contents: Contents) -> SourceFile {
        let mut ids = self
            .files
            .by_id
            .write()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        let id = u32::try_from(ids.len()).unwrap_or(u32::MAX - 8);
        let cut = contents
            .text()
            .filter(|_| self.editing)
            .and_then(|text| Some((text.clone(), chunks::split(text)?)));
        let Some((text, cut)) = cut else {
            let file = self.input(id, path, contents, Arc::from([]), None, Layout::default());
            ids.push(file);
            return file;
        };
        // The file's number comes first; its input needs the pieces, which need its number. The place is kept by the
        // first piece until then.
        let mut pieces = Vec::with_capacity(cut.len());
        let mut later: Vec<SourceFile> = Vec::with_capacity(cut.len());
        let mut layout = FxHashMap::default();
        for (n, chunk) in cut.iter().enumerate() {
            let number = id.saturating_add(u32::try_from(n).unwrap_or(0)).saturating_add(1);
            let body = Contents::Text(Arc::from(text.get(chunk.range.clone()).unwrap_or_default()));
            layout.insert(number, u32::try_from(chunk.range.start).unwrap_or(u32::MAX));
            let home = Some((id, chunk.key.clone()));
            let piece = self.input(number, path, body, Arc::from([]), home, Layout::default());
            pieces.push(piece);
            later.push(piece);
        }
        let file = self.input(id, path, contents, Arc::from(pieces), None, Arc::new(layout));
        ids.push(file);
        ids.extend(later);
        file
    }

    /// The system behind the files, for another database over the same texts.
    #[must_use]
    pub fn shared_system(&self) -> Arc<dyn System> {
        self.system.clone()
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
        *self
            .files
            .by_path
            .entry(path.clone())
            .or_insert_with(|| self.new_file(&path, contents))
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
            .or_insert_with(|| Listing::builder(dir, entries).durability(Durability::HIGH).new(self))
    }

    fn system(&self) -> &dyn System {
        self.system.as_ref()
    }

    fn editing(&self) -> bool {
        self.editing
    }

    fn readings(&self) -> &Readings {
        &self.readings
    }
}
