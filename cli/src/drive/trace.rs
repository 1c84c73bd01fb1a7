//! The trace of a live session: each event is written when it happens, with the time of this machine.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use kitsoki_runtime::Event;
use kitsoki_runtime::trace::Encoder;
use kitsoki_testing::{Fatal, tracefile};

/// A trace that is being written.
pub struct TraceFile {
    out: File,
    encoder: Encoder,
    path: PathBuf,
}

fn now() -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0, |d| i64::try_from(d.as_millis()).unwrap_or(i64::MAX))
}

impl TraceFile {
    /// Begins a trace.
    ///
    /// # Errors
    /// When the file cannot be opened, or is a link or a file of a story.
    pub fn create(path: &Path) -> Result<Self, Fatal> {
        let mut trace = Self {
            out: tracefile::create(path)?,
            encoder: Encoder::default(),
            path: path.to_owned(),
        };
        trace.text(&Encoder::header(now()))?;
        Ok(trace)
    }

    /// Adds events; they are in the file when this returns.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn write(&mut self, events: &[Event]) -> Result<(), Fatal> {
        let lines: String = events.iter().map(|e| self.encoder.line(e, now())).collect();
        self.text(&lines)
    }

    fn text(&mut self, text: &str) -> Result<(), Fatal> {
        let written = self.out.write_all(text.as_bytes());
        written.map_err(|e| Fatal(format!("{}: {e}", self.path.display())))
    }
}
