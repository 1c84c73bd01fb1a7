//! Patterns over files: one shell pattern for each part of a path. `**` has no meaning of its own.

use std::io;

use cap_std::fs::Dir;

use super::Inspected;
use super::files::{base, folder, glob_fault};
use super::paths::Confined;
use crate::fault::{Class, Fault};
use crate::pattern::matches;

/// More entries than this are not looked at for one pattern.
const MAX_ENTRIES: usize = 200_000;

/// The paths below the base that the pattern finds, sorted.
pub(super) fn find(pattern: &str, at: &Confined) -> Inspected<Vec<String>> {
    let malformed = || {
        Fault::new(
            Class::Io,
            format!("starlark fs.glob {pattern:?}: syntax error in pattern"),
        )
    };
    let parts: Vec<&str> = at.relative.split('/').collect();
    for part in &parts {
        matches(part, "x").ok_or_else(malformed)?;
    }
    let dir = base(pattern, at)?;
    let mut looked_at = 0;
    let mut found = vec![String::new()];
    for (i, part) in parts.iter().enumerate() {
        let last = i + 1 == parts.len();
        let mut next = Vec::new();
        for prefix in &found {
            let step = Step {
                dir: &dir,
                prefix,
                part,
                last,
            };
            step.collect(&mut next, &mut looked_at)
                .map_err(|e| glob_fault(pattern, &e))?;
            if looked_at > MAX_ENTRIES {
                let text = format!("starlark fs.glob {pattern:?}: more than {MAX_ENTRIES} entries");
                return Err(Fault::new(Class::LimitSize, text));
            }
        }
        found = next;
        if found.is_empty() {
            break;
        }
    }
    found.sort();
    Ok(found)
}

/// One part of a pattern below one folder.
struct Step<'a> {
    dir: &'a Dir,
    prefix: &'a str,
    part: &'a str,
    last: bool,
}

impl Step<'_> {
    fn path(&self, name: &str) -> String {
        if self.prefix.is_empty() {
            name.to_owned()
        } else {
            format!("{}/{name}", self.prefix)
        }
    }

    /// Adds what fits. A link that leads outside is an error when it was named, and passed over when it was only found.
    fn collect(&self, out: &mut Vec<String>, looked_at: &mut usize) -> io::Result<()> {
        if !self.part.contains(['*', '?', '[', '\\']) {
            *looked_at += 1;
            let path = self.path(self.part);
            let there = if self.last {
                match self.dir.symlink_metadata(&path) {
                    Ok(_) => true,
                    Err(e) if e.kind() == io::ErrorKind::PermissionDenied && e.raw_os_error().is_none() => {
                        return Err(e);
                    }
                    Err(_) => false,
                }
            } else {
                folder(self.dir, &path)?.is_some()
            };
            if there {
                out.push(path);
            }
            return Ok(());
        }
        let here = if self.prefix.is_empty() { "." } else { self.prefix };
        let Some(entries) = folder(self.dir, here).ok().flatten().and_then(|d| d.entries().ok()) else {
            return Ok(());
        };
        for entry in entries.flatten() {
            *looked_at += 1;
            if *looked_at > MAX_ENTRIES {
                return Ok(());
            }
            let Ok(name) = entry.file_name().into_string() else {
                continue;
            };
            if matches(self.part, &name) != Some(true) {
                continue;
            }
            let path = self.path(&name);
            if self.last || folder(self.dir, &path).is_ok_and(|d| d.is_some()) {
                out.push(path);
            }
        }
        Ok(())
    }
}
