//! `kitsoki check --watch`: checks again whenever a file of the stories changes.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

use camino::Utf8PathBuf;

use crate::app::Exit;
use crate::args::CheckArgs;
use crate::check::LevelsOfStories;
use crate::session::Session;
use crate::{check, output};

/// How often files are looked at.
const PAUSE: Duration = Duration::from_millis(250);

/// Runs until the process is stopped or the reader of its output goes away.
///
/// # Errors
/// When the output cannot be written.
pub fn run(args: &CheckArgs, paths: &[Utf8PathBuf], levels: &LevelsOfStories) -> miette::Result<Exit> {
    let mut session = Session::new()?;
    loop {
        let report = check::report(&session, args, paths, levels)?;
        check::show(&session, args, &report)?;
        output::error("watching for changes; stop with Ctrl-C");
        let seen = session.stamps();
        let changed = loop {
            std::thread::sleep(PAUSE);
            let now = session.stamps();
            let changed: Vec<Utf8PathBuf> = difference(&seen, &now);
            if !changed.is_empty() {
                break changed;
            }
        };
        for path in changed {
            session.db.refresh(&path);
        }
    }
}

/// The paths whose time or size is another one.
pub fn difference(
    old: &BTreeMap<Utf8PathBuf, Option<(SystemTime, u64)>>,
    new: &BTreeMap<Utf8PathBuf, Option<(SystemTime, u64)>>,
) -> Vec<Utf8PathBuf> {
    new.iter()
        .filter(|(path, stamp)| old.get(*path) != Some(stamp))
        .map(|(path, _)| path.clone())
        .collect()
}
