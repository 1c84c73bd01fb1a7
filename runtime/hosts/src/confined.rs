//! Files below a folder that is never left, whatever links lie in it.

use std::io::{self, Read as _, Write as _};
use std::path::Path;

use cap_std::ambient_authority;
use cap_std::fs::{Dir, OpenOptions};

use crate::place;

/// A folder; every path is relative to it, and none leads out of it.
pub struct Folder {
    dir: Dir,
}

impl Folder {
    /// Opens a folder.
    ///
    /// # Errors
    ///
    /// It is missing or no folder.
    pub fn open(path: &Path) -> io::Result<Self> {
        Dir::open_ambient_dir(path, ambient_authority()).map(|dir| Self { dir })
    }

    /// Opens a folder that is created when it is missing.
    ///
    /// # Errors
    ///
    /// It can neither be opened nor created.
    pub fn create(path: &Path) -> io::Result<Self> {
        std::fs::create_dir_all(path)?;
        Self::open(path)
    }

    /// The content of a file up to a size.
    ///
    /// # Errors
    ///
    /// It is missing, larger, no ordinary file, or a link that leads outside.
    pub fn read(&self, path: &Path, limit: u64) -> io::Result<Vec<u8>> {
        // A pipe would make the opening wait for ever.
        if !self.dir.metadata(path)?.is_file() {
            return Err(io::Error::other("not a regular file"));
        }
        let mut bytes = Vec::new();
        self.dir.open(path)?.take(limit + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > limit {
            return Err(io::Error::other(format!("larger than {limit} bytes")));
        }
        Ok(bytes)
    }

    /// Replaces the content of a file. Its folder must be there.
    ///
    /// # Errors
    ///
    /// It cannot be written, or a link leads outside.
    pub fn write(&self, path: &Path, content: &[u8]) -> io::Result<()> {
        self.dir.write(path, content)
    }

    /// Writes at the end of a file, which is created when it is missing.
    ///
    /// # Errors
    ///
    /// It cannot be written, or a link leads outside.
    pub fn append(&self, path: &Path, content: &[u8]) -> io::Result<()> {
        let mut options = OpenOptions::new();
        options.append(true).create(true);
        self.dir.open_with(path, &options)?.write_all(content)
    }

    /// Creates a folder and those above it.
    ///
    /// # Errors
    ///
    /// It cannot be created, or a link leads outside.
    pub fn create_folder(&self, path: &Path) -> io::Result<()> {
        self.dir.create_dir_all(path)
    }
}

/// The words for a failure below a confined folder.
pub fn words(error: &io::Error) -> String {
    if error.kind() == io::ErrorKind::PermissionDenied && error.to_string().contains("outside of the filesystem") {
        return "a link on the way escapes the folder".to_owned();
    }
    place::words(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_never_leads_outside() {
        let outside = tempfile::tempdir().unwrap();
        std::fs::write(outside.path().join("secret"), "s").unwrap();
        let inside = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(outside.path(), inside.path().join("out")).unwrap();
        std::os::unix::fs::symlink(outside.path().join("new"), inside.path().join("file")).unwrap();
        let folder = Folder::open(inside.path()).unwrap();
        assert!(words(&folder.read(Path::new("out/secret"), 10).unwrap_err()).contains("escapes"));
        assert!(folder.append(Path::new("out/x"), b"x").is_err());
        assert!(folder.write(Path::new("file"), b"x").is_err());
        assert!(!outside.path().join("new").exists());
    }
}
