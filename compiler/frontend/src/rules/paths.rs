//! The file that was probably meant by a path that leads nowhere.

use camino::Utf8Path;

use super::words::did_you_mean;
use crate::db::{Db, DirEntry};

/// Most folders of a path that are looked into.
const MAX_SEGMENTS: usize = 16;

/// What a path leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Leaf {
    /// A file.
    File,
    /// A folder.
    Folder,
}

/// The same for a whole path that ends in what is written: the author's path begins in the folder before it.
#[must_use]
pub(crate) fn similar_end(db: &dyn Db, path: &Utf8Path, written: &str, leaf: Leaf) -> Option<String> {
    let base = path.as_str().strip_suffix(written)?;
    similar(db, Utf8Path::new(base), written, leaf)
}

/// `written`, a path below `base` that leads nowhere, with one or more of its names changed to names that exist. A file
/// keeps its extension, or its name when only the extension is another.
#[must_use]
pub(crate) fn similar(db: &dyn Db, base: &Utf8Path, written: &str, leaf: Leaf) -> Option<String> {
    let segments: Vec<&str> = written.split('/').collect();
    if segments.len() > MAX_SEGMENTS || written.starts_with('/') {
        return None;
    }
    let mut folder = base.to_owned();
    let mut meant: Vec<String> = Vec::with_capacity(segments.len());
    for (at, segment) in segments.iter().enumerate() {
        let last = at + 1 == segments.len();
        let name = if matches!(*segment, "." | ".." | "") && !last {
            (*segment).to_owned()
        } else {
            let entries = db.listing(&folder).entries(db);
            one(entries, segment, last && leaf == Leaf::File)?.to_owned()
        };
        folder = crate::db::normalize(&folder.join(&name));
        meant.push(name);
    }
    let meant = meant.join("/");
    (meant != written).then_some(meant)
}

/// The entry that a name means: that name, or one like it.
fn one<'e>(entries: &'e [DirEntry], name: &str, file: bool) -> Option<&'e str> {
    let kind = entries.iter().filter(|e| e.is_dir != file);
    let names = || kind.clone().map(|e| e.name.as_str());
    if let Some(same) = names().find(|n| *n == name) {
        return Some(same);
    }
    let extension = Utf8Path::new(name).extension();
    let alike = names().filter(|n| !file || Utf8Path::new(n).extension() == extension);
    did_you_mean(name, alike).or_else(|| names().find(|n| file && stem(n) == stem(name)))
}

fn stem(name: &str) -> &str {
    Utf8Path::new(name).file_stem().unwrap_or(name)
}
