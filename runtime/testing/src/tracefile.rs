//! The trace of a run in a file: never through a link, never over a file of the story.

use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use kitsoki_runtime::Event;
use kitsoki_runtime::trace::Encoder;

use crate::doc::Fatal;

/// A trace that is being written. Its clock is that of the flow: it begins in 1970.
pub struct TraceFile {
    out: BufWriter<File>,
    encoder: Encoder,
    folder: PathBuf,
    path: PathBuf,
}

/// Opens a file for a report: folders are made, a link or a file that is not one of ours is left alone.
///
/// # Errors
/// When it cannot be opened, or is a link.
pub fn create(path: &Path) -> Result<File, Fatal> {
    let fatal = |why: String| Fatal(format!("{}: {why}", path.display()));
    if let Some(folder) = path.parent().filter(|f| !f.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).map_err(|e| fatal(e.to_string()))?;
    }
    if std::fs::symlink_metadata(path).is_ok_and(|m| m.file_type().is_symlink()) {
        return Err(fatal("a link: a report is not written through one".into()));
    }
    let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    if path.exists() && matches!(extension.as_str(), "yaml" | "yml" | "star" | "md" | "pongo") {
        return Err(fatal(
            "this looks like a file of a story: choose another name for the report".into(),
        ));
    }
    OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .open(path)
        .map_err(|e| fatal(e.to_string()))
}

impl TraceFile {
    /// Begins a trace.
    ///
    /// # Errors
    /// As [`create`].
    pub fn create(path: &Path) -> Result<Self, Fatal> {
        let mut trace = Self {
            out: BufWriter::new(create(path)?),
            encoder: Encoder::default(),
            folder: path.parent().unwrap_or(Path::new(".")).to_owned(),
            path: path.to_owned(),
        };
        trace.text(&Encoder::header(0))?;
        Ok(trace)
    }

    fn text(&mut self, text: &str) -> Result<(), Fatal> {
        let failed = |e: std::io::Error| Fatal(format!("{}: {e}", self.path.display()));
        self.out.write_all(text.as_bytes()).map_err(failed)
    }

    /// Adds events.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn write(&mut self, events: &[Event]) -> Result<(), Fatal> {
        for event in events {
            let line = self.encoder.line(event, 0);
            self.text(&line)?;
        }
        self.finish()
    }

    /// Sees that everything is in the file.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(&mut self) -> Result<(), Fatal> {
        self.out
            .flush()
            .map_err(|e| Fatal(format!("{}: {e}", self.path.display())))
    }

    /// Writes files that belong beside the trace.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn beside(&self, files: &[(String, String)]) -> Result<(), Fatal> {
        for (name, content) in files {
            let path = self.folder.join(name);
            let mut file = create(&path)?;
            file.write_all(content.as_bytes())
                .map_err(|e| Fatal(format!("{}: {e}", path.display())))?;
        }
        Ok(())
    }
}
