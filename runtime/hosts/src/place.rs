//! Paths: cleaning, names and ends as the reference reads them, and files that stay below a folder.

use std::io;
use std::path::{Component, Path, PathBuf};

/// A path without `.` and `..` where they can be resolved by looking at the text alone.
pub fn cleaned(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => match out.components().next_back() {
                Some(Component::Normal(_)) => {
                    out.pop();
                }
                Some(Component::RootDir | Component::Prefix(_)) => {}
                _ => out.push(".."),
            },
            other => out.push(other),
        }
    }
    if out.as_os_str().is_empty() {
        out.push(".");
    }
    out
}

/// The way from a folder to a path below it, by text alone; `None` when it leads elsewhere.
pub fn below(folder: &Path, path: &Path) -> Option<PathBuf> {
    let rest = cleaned(path).strip_prefix(cleaned(folder)).ok()?.to_owned();
    (!rest.as_os_str().is_empty()).then_some(rest)
}

/// Whether a path lies below a folder, links of its existing part resolved.
pub fn stays_below(folder: &Path, path: &Path) -> bool {
    let resolved = |p: &Path| p.canonicalize().ok();
    let Some(folder_resolved) = resolved(folder) else {
        return below(folder, path).is_some();
    };
    below(folder, path).is_some()
        && path
            .ancestors()
            .find_map(resolved)
            .is_some_and(|p| p.starts_with(folder_resolved))
}

/// The last part of a path, as text.
pub fn base(path: &str) -> &str {
    path.trim_end_matches('/').rsplit('/').next().unwrap_or(path)
}

/// The extension with its dot: from the last dot of the last part on, also when that is its first character.
pub fn extension(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rfind('.').and_then(|at| name.get(at..)).unwrap_or("")
}

/// The last part of a path without its extension.
pub fn stem(path: &str) -> &str {
    let name = base(path);
    name.strip_suffix(extension(name)).unwrap_or(name)
}

/// The words for a failure of a file, without the number of the system's error.
pub fn words(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    let mut letters = text.chars();
    letters
        .next()
        .map(|first| first.to_lowercase().chain(letters).collect())
        .unwrap_or_default()
}

/// Reads a file up to a size. What is no ordinary file is an error: nothing waits for a pipe.
///
/// # Errors
///
/// It is missing, no ordinary file, or larger.
pub fn read(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    use io::Read as _;
    let metadata = std::fs::metadata(path)?;
    if metadata.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if !metadata.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    let mut bytes = Vec::new();
    std::fs::File::open(path)?.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(io::Error::other(format!("larger than {limit} bytes")));
    }
    Ok(bytes)
}

/// Reads a text file up to a size; what is no UTF-8 is replaced.
///
/// # Errors
///
/// As [`read`].
pub fn read_text(path: &Path, limit: u64) -> io::Result<String> {
    read(path, limit).map(crate::plain::text)
}

/// Replaces a file as a whole: readers see the old content or the new one. A link is replaced, never followed; the mode of
/// the file stays.
///
/// # Errors
///
/// It cannot be written.
pub fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    use std::io::Write as _;
    use std::os::unix::fs::PermissionsExt as _;
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty());
    let mode = std::fs::symlink_metadata(path).ok().filter(|m| m.is_file());
    let mode = mode.map_or(0o644, |m| m.permissions().mode() & 0o777);
    let mut file = tempfile::Builder::new()
        .prefix(".kitsoki-")
        .permissions(std::fs::Permissions::from_mode(mode))
        .tempfile_in(folder.unwrap_or(Path::new(".")))?;
    file.write_all(content)?;
    file.persist(path).map(drop).map_err(|e| e.error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_are_resolved_by_text() {
        for (path, want) in [
            ("/a/./b/../c", "/a/c"),
            ("/../x", "/x"),
            ("a/../..", ".."),
            ("", "."),
            ("./", "."),
        ] {
            assert_eq!(cleaned(Path::new(path)), PathBuf::from(want), "{path}");
        }
    }

    #[test]
    fn only_what_lies_below_is_below() {
        let root = Path::new("/r");
        assert_eq!(below(root, Path::new("/r/a/../b")), Some(PathBuf::from("b")));
        for path in ["/r", "/rx/a", "/r/../a", "/r/a/../.."] {
            assert_eq!(below(root, Path::new(path)), None, "{path}");
        }
    }

    #[test]
    fn replacing_keeps_the_mode_and_leaves_nothing_behind() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("f");
        std::fs::write(&path, "old").unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
        replace(&path, b"new").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        assert!(replace(&folder.path().join("none/f"), b"").is_err());
    }

    #[test]
    fn the_extension_begins_at_the_last_dot() {
        assert_eq!((extension("a/v1.2"), stem("a/v1.2")), (".2", "v1"));
        assert_eq!((extension("a.d/x"), stem("a.d/x")), ("", "x"));
        assert_eq!((extension(".env"), stem(".env")), (".env", ""));
    }
}
