//!
//! Queries ask for files by path. A missing file is an input too, so that creating it later is an edit like any other;
//! the same holds for directory listings. Outside of `db` nothing does IO.

pub mod chunks;
mod files;
mod system;
mod unsettled;

pub use files::{Contents, Database, Db, Listing, SourceFile, whole_span};
pub use system::{DirEntry, MemorySystem, OverlaySystem, PathKind, ReadError, RealSystem, System, normalize};
