//! What nobody tells the server: that its client died, and that files changed when the client watches none.

use std::time::SystemTime;

use camino::{Utf8Path, Utf8PathBuf};
use kitsoki_compiler::db::Database;
use rustc_hash::FxHashMap;

use super::client::Client;
use super::{Outcome, Server, events};

/// When the known files were last written, as far as it was looked at.
#[derive(Debug, Default)]
pub struct Seen {
    times: FxHashMap<Utf8PathBuf, Option<SystemTime>>,
}

/// One look around.
pub fn tick(server: &mut Server, client: &Client) {
    if client.process.is_some_and(|process| !is_alive(process)) {
        server.outcome(Outcome::Orphaned);
    }
    if !client.watches {
        let changed = server.watched.look(&server.db);
        if !changed.is_empty() {
            events::changed_on_disk(server, &changed);
        }
    }
}

impl Seen {
    /// The files and folders that were written since the last look. The first look at a file says nothing.
    fn look(&mut self, db: &Database) -> Vec<Utf8PathBuf> {
        let mut changed = Vec::new();
        for file in db.known_files() {
            if file.home(db).is_some() {
                continue;
            }
            let path = file.path(db);
            let now = std::fs::metadata(path).and_then(|m| m.modified()).ok();
            match self.times.get_mut(path) {
                None => {
                    self.times.insert(path.clone(), now);
                }
                Some(before) if *before != now => {
                    *before = now;
                    changed.push(path.clone());
                }
                Some(_) => {}
            }
        }
        changed
    }
}

/// The files that were read below a path.
#[must_use]
pub fn known_below(db: &Database, path: &Utf8Path) -> Vec<Utf8PathBuf> {
    let known = db.known_files();
    let files = known.iter().filter(|f| f.home(db).is_none());
    files
        .map(|f| f.path(db))
        .filter(|p| *p != path && p.starts_with(path))
        .cloned()
        .collect()
}

#[cfg(unix)]
fn is_alive(process: i32) -> bool {
    let Some(pid) = rustix::process::Pid::from_raw(process) else {
        return true;
    };
    // Not allowed to look is alive.
    !matches!(rustix::process::test_kill_process(pid), Err(rustix::io::Errno::SRCH))
}

#[cfg(not(unix))]
fn is_alive(_process: i32) -> bool {
    true
}
