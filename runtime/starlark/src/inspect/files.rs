//! Files below a folder that is never left: links are followed only as long as they stay inside, checked by the system
//! at the moment of opening. What is no ordinary file is said and never waited for.

use std::io::{self, ErrorKind, Read, Write};

use cap_std::ambient_authority;
use cap_std::fs::{Dir, OpenOptions};

use super::paths::Confined;
use super::{Inspected, MAX_FILE};
use crate::fault::{Class, Fault};

/// A failure of the system in the words of the reference.
pub(crate) fn words(e: &io::Error) -> String {
    match e.kind() {
        ErrorKind::NotFound => "no such file or directory".to_owned(),
        ErrorKind::NotADirectory => "not a directory".to_owned(),
        ErrorKind::IsADirectory => "is a directory".to_owned(),
        ErrorKind::PermissionDenied => "permission denied".to_owned(),
        ErrorKind::InvalidFilename => "file name too long".to_owned(),
        ErrorKind::StorageFull => "no space left on device".to_owned(),
        ErrorKind::ReadOnlyFilesystem => "read-only file system".to_owned(),
        _ => e.to_string(),
    }
}

/// Whether the failure is that a link leads out of the folder.
fn leads_out(e: &io::Error) -> bool {
    // The library makes this error itself; one of the system has a number.
    e.kind() == ErrorKind::PermissionDenied && e.raw_os_error().is_none()
}

/// The fault of a failed operation: `op` as in `fs.read`, `step` as in `stat /a/b`.
fn fault(op: &str, path: &str, step: &str, e: &io::Error) -> Box<Fault> {
    if leads_out(e) {
        let text = format!("starlark {op} {path:?}: a link leads outside the working directory");
        return Fault::new(Class::PathEscape, text);
    }
    Fault::new(Class::Io, format!("starlark {op} {path:?}: {step}: {}", words(e)))
}

fn open_base(op: &str, path: &str, at: &Confined) -> Inspected<Dir> {
    Dir::open_ambient_dir(&at.base, ambient_authority())
        .map_err(|e| fault(op, path, &format!("open {}", at.base.display()), &e))
}

/// Opening a FIFO must not wait for its other end.
fn never_waiting(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    {
        use cap_std::fs::OpenOptionsExt;
        let nonblock = i32::try_from(rustix::fs::OFlags::NONBLOCK.bits()).unwrap_or(0);
        options.custom_flags(nonblock);
    }
    options
}

/// The content of a file.
pub(super) fn read(path: &str, at: &Confined) -> Inspected<Vec<u8>> {
    let op = "fs.read";
    let full = at.full();
    let dir = open_base(op, path, at)?;
    let too_large = || {
        let text = format!("starlark {op} {path:?}: file exceeds {MAX_FILE}-byte cap");
        Fault::new(Class::LimitSize, text)
    };
    let mut options = OpenOptions::new();
    let file = dir.open_with(&at.relative, never_waiting(options.read(true)));
    let file = file.map_err(|e| fault(op, path, &format!("stat {full}"), &e))?;
    let metadata = file
        .metadata()
        .map_err(|e| fault(op, path, &format!("stat {full}"), &e))?;
    if metadata.is_dir() {
        return Err(fault(
            op,
            path,
            &format!("read {full}"),
            &ErrorKind::IsADirectory.into(),
        ));
    }
    if !metadata.is_file() {
        return Err(Fault::new(
            Class::Io,
            format!("starlark {op} {path:?}: {full} is no ordinary file"),
        ));
    }
    if metadata.len() > u64::try_from(MAX_FILE).unwrap_or(u64::MAX) {
        return Err(too_large());
    }
    let mut out = Vec::new();
    // The file may grow while it is read.
    let bound = u64::try_from(MAX_FILE + 1).unwrap_or(u64::MAX);
    file.take(bound)
        .read_to_end(&mut out)
        .map_err(|e| fault(op, path, &format!("read {full}"), &e))?;
    if out.len() > MAX_FILE {
        return Err(too_large());
    }
    Ok(out)
}

/// Whether there is something.
pub(super) fn exists(path: &str, at: &Confined) -> Inspected<bool> {
    let op = "fs.exists";
    let dir = open_base(op, path, at)?;
    match dir.metadata(&at.relative) {
        Ok(_) => Ok(true),
        Err(e) if e.kind() == ErrorKind::NotFound => Ok(false),
        Err(e) => Err(fault(op, path, &format!("stat {}", at.full()), &e)),
    }
}

/// Replaces a file, making the folders above it.
pub(super) fn write(path: &str, at: &Confined, content: &[u8]) -> Inspected<()> {
    let op = "fs.write";
    let full = at.full();
    let dir = open_base(op, path, at)?;
    if let Some((parent, _)) = at.relative.rsplit_once('/') {
        make_folders(&dir, parent).map_err(|(folder, e)| {
            fault(
                op,
                path,
                &format!("mkdir parent: mkdir {}", at.base.join(folder).display()),
                &e,
            )
        })?;
    }
    let step = format!("open {full}");
    // A device or a FIFO is not opened: that alone can have effects.
    match dir.metadata(&at.relative) {
        Ok(m) if m.is_dir() => return Err(fault(op, path, &step, &ErrorKind::IsADirectory.into())),
        Ok(m) if !m.is_file() => {
            return Err(Fault::new(
                Class::Io,
                format!("starlark {op} {path:?}: {full} is no ordinary file"),
            ));
        }
        Ok(_) => {}
        Err(e) if e.kind() == ErrorKind::NotFound => {}
        Err(e) => return Err(fault(op, path, &step, &e)),
    }
    let mut options = OpenOptions::new();
    let file = dir.open_with(
        &at.relative,
        never_waiting(options.write(true).create(true).truncate(true)),
    );
    let mut file = file.map_err(|e| fault(op, path, &step, &e))?;
    file.write_all(content)
        .map_err(|e| fault(op, path, &format!("write {full}"), &e))
}

/// Makes a folder and those above it; the failure names the one that could not be made.
fn make_folders(dir: &Dir, path: &str) -> Result<(), (String, io::Error)> {
    let mut so_far = String::new();
    for part in path.split('/') {
        if !so_far.is_empty() {
            so_far.push('/');
        }
        so_far.push_str(part);
        match dir.create_dir(&so_far) {
            Ok(()) => {}
            Err(e) if e.kind() == ErrorKind::AlreadyExists => match dir.metadata(&so_far) {
                Ok(m) if m.is_dir() => {}
                Ok(_) => return Err((so_far, ErrorKind::NotADirectory.into())),
                Err(e) => return Err((so_far, e)),
            },
            Err(e) => return Err((so_far, e)),
        }
    }
    Ok(())
}

/// The folder at a path below the base, for going through it. `None` when there is none.
pub(super) fn folder(base: &Dir, relative: &str) -> io::Result<Option<Dir>> {
    match base.metadata(relative) {
        Ok(m) if m.is_dir() => base.open_dir(relative).map(Some),
        Ok(_) => Ok(None),
        Err(e) if leads_out(&e) => Err(e),
        Err(_) => Ok(None),
    }
}

/// Opens the folder that confines a glob.
pub(super) fn base(path: &str, at: &Confined) -> Inspected<Dir> {
    open_base("fs.glob", path, at)
}

/// The fault of a glob that met a link leading outside.
pub(super) fn glob_fault(path: &str, e: &io::Error) -> Box<Fault> {
    fault("fs.glob", path, "read", e)
}
