//! What the examples that measure share: a clock, and a session of edits on a file.

use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use kitsoki_compiler::db::{Database, OverlaySystem, RealSystem};
use kitsoki_lsp::features::{Snapshot, Workspace};

/// Processor time of this thread in milliseconds: wall time says nothing on a busy machine.
pub fn cpu() -> f64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    now.tv_sec as f64 * 1e3 + now.tv_nsec as f64 / 1e6
}

/// The argument of a number as the path of a file.
pub fn path(number: usize) -> Option<Utf8PathBuf> {
    let path = Utf8PathBuf::from(std::env::args().nth(number)?);
    Some(path.canonicalize_utf8().unwrap())
}

/// The state of a client that has opened one file and is about to change it, and its unsaved texts.
pub fn session(open: &Utf8Path) -> (Arc<OverlaySystem>, Snapshot) {
    let overlay = Arc::new(OverlaySystem::new(Arc::new(RealSystem)));
    let mut db = Database::for_editing(overlay.clone());
    db.expect_changes(open);
    let workspace = Workspace {
        folders: vec![open.parent().unwrap().to_owned()],
        open: vec![open.to_owned()],
        ..Workspace::default()
    };
    let workspace = Arc::new(workspace);
    (overlay, Snapshot { db, workspace })
}
