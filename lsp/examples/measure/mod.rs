//! What the examples that measure share: a clock, a session of edits on a file, and places to edit.
#![allow(dead_code, reason = "no example needs all of it")]

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

/// A place inside of a word of a value that stands behind its key on one line.
pub struct Inside {
    /// The top-level section.
    pub section: String,
    /// The key.
    pub key: String,
    /// Bytes from the start of the text.
    pub at: usize,
}

impl Inside {
    /// Whether a person reads it.
    pub fn is_prose(&self) -> bool {
        [
            "description",
            "title",
            "prose",
            "view",
            "label",
            "hint",
            "help",
            "summary",
            "say",
            "system_prompt",
        ]
        .contains(&&*self.key)
    }

    /// Whether it is a condition.
    pub fn is_guard(&self) -> bool {
        self.key == "when"
    }

    /// Whether it names something.
    pub fn is_name(&self) -> bool {
        ["target", "root", "agent", "intent", "emit_intent", "invoke", "on_error"].contains(&&*self.key)
    }

    /// Its line and its byte in the line, both from 0.
    pub fn position(&self, lines: &[&str]) -> (usize, usize) {
        let mut start = 0;
        for (n, line) in lines.iter().enumerate() {
            if self.at <= start + line.len() {
                return (n, self.at - start);
            }
            start += line.len() + 1;
        }
        (lines.len(), 0)
    }
}

/// Places inside of words behind a key of one line.
pub fn places(text: &str) -> Vec<Inside> {
    let mut found = Vec::new();
    let (mut section, mut at) = (String::new(), 0);
    for line in text.split_inclusive('\n') {
        if line.starts_with(|c: char| c.is_ascii_lowercase()) {
            section = line.split(':').next().unwrap().to_owned();
        }
        let code = !line.trim_start().starts_with('#');
        if code && let Some((key, value)) = line.split_once(": ") {
            let key = key.trim().trim_start_matches("- ").to_owned();
            let word = value
                .char_indices()
                .skip(2)
                .find(|(n, c)| c.is_ascii_lowercase() && value[n + 1..].starts_with(|c: char| c.is_ascii_lowercase()));
            if let Some((n, _)) = word {
                let at = at + line.len() - value.len() + n + 1;
                found.push(Inside {
                    section: section.clone(),
                    key,
                    at,
                });
            }
        }
        at += line.len();
    }
    found
}
