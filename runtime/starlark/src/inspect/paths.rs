//! Where a path of a script leads: into the root, or into a temporary folder.

use std::path::{Path, PathBuf};

use crate::fault::{Class, Fault};
use crate::pattern::clean_slashes;

use super::Inspected;

/// A whole path may have this many bytes, whatever the way to it.
const MAX_PATH: usize = 4_000;

/// A path split into the folder that confines it and the way from there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Confined {
    /// The folder that must not be left.
    pub(super) base: PathBuf,
    /// The way from there, cleaned; `.` for the folder itself.
    pub(super) relative: String,
}

impl Confined {
    /// The whole path, for messages.
    pub(super) fn full(&self) -> String {
        if self.relative == "." {
            return self.base.display().to_string();
        }
        self.base.join(&self.relative).display().to_string()
    }
}

/// The folders below which absolute paths are allowed.
fn temporary_folders() -> Vec<PathBuf> {
    let mut out = vec![PathBuf::from("/tmp")];
    let own = PathBuf::from(clean_slashes(&std::env::temp_dir().to_string_lossy()));
    if own.is_absolute() && own != Path::new("/") && !out.contains(&own) {
        out.push(own);
    }
    out
}

/// Confines a path of a script: a relative one to the root, an absolute one to a temporary folder.
pub(super) fn confine(root: &Path, path: &str) -> Inspected<Confined> {
    if path.contains('\0') {
        return Err(Fault::new(Class::Io, format!("starlark fs: path {path:?} holds a NUL")));
    }
    if path.len() + root.as_os_str().len() > MAX_PATH {
        let start: String = path.chars().take(60).collect();
        return Err(Fault::new(
            Class::Io,
            format!("starlark fs: path \"{start}…\": file name too long"),
        ));
    }
    if path.starts_with('/') {
        let cleaned = clean_slashes(path);
        for base in temporary_folders() {
            if let Ok(rest) = Path::new(&cleaned).strip_prefix(&base) {
                let relative = rest.to_string_lossy().into_owned();
                return Ok(Confined {
                    base,
                    relative: if relative.is_empty() { ".".to_owned() } else { relative },
                });
            }
        }
        let text = format!("starlark fs: path {path:?} must be repo-relative or under /tmp");
        return Err(Fault::new(Class::PathEscape, text));
    }
    let relative = clean_slashes(path);
    if relative == ".." || relative.starts_with("../") {
        let text = format!("starlark fs: path {path:?} escapes the working directory");
        return Err(Fault::new(Class::PathEscape, text));
    }
    Ok(Confined {
        base: root.to_owned(),
        relative,
    })
}

/// A full path as seen from the root, in slash form: `../x` when it lies outside.
pub(super) fn from_root(root: &Path, full: &Path) -> String {
    let mut ours = root.components().peekable();
    let mut theirs = full.components().peekable();
    while ours.peek().is_some() && ours.peek() == theirs.peek() {
        ours.next();
        theirs.next();
    }
    let up = ours.map(|_| "..".to_owned());
    let down = theirs.map(|c| c.as_os_str().to_string_lossy().into_owned());
    let parts: Vec<String> = up.chain(down).collect();
    if parts.is_empty() {
        ".".to_owned()
    } else {
        parts.join("/")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_paths_stay_below_the_root() {
        let root = Path::new("/story");
        assert_eq!(confine(root, "a/../b").unwrap().relative, "b");
        assert_eq!(confine(root, "").unwrap().relative, ".");
        for path in ["..", "../x", "a/../../x", "/etc/passwd", "/tmp/../etc/passwd", "/tmpx"] {
            assert_eq!(confine(root, path).unwrap_err().class, Class::PathEscape, "{path}");
        }
        assert_eq!(confine(root, "/tmp/x/y").unwrap().relative, "x/y");
    }

    #[test]
    fn paths_outside_are_told_by_their_way() {
        assert_eq!(from_root(Path::new("/a/b"), Path::new("/a/b/c")), "c");
        assert_eq!(from_root(Path::new("/a/b"), Path::new("/tmp/x")), "../../tmp/x");
    }
}
