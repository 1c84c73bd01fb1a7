//! Files and probes of scripts: who answers for them. Without an inspector nothing is read; [`RealInspector`] is rooted
//! in a folder and never leaves it; [`ReplayInspector`] answers from a cassette.

mod files;
mod glob;
mod paths;
mod probes;
mod real;
mod replay;
mod root;

pub(crate) use files::words;
pub use probes::{Environment, GitHub, ProcessEnvironment};
pub use real::RealInspector;
pub use replay::{InspectCassette, ReplayInspector};
pub use root::{RootHints, widen};

use crate::fault::Fault;

/// The largest file that `ctx.fs.read` reads and `ctx.fs.write` writes, in bytes.
pub const MAX_FILE: usize = 1 << 20;

/// What a probe answered. A status other than zero is an answer too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProbeAnswer {
    /// The exit status.
    pub exit: i64,
    /// Both outputs as they came.
    pub out: String,
}

/// What the log keeps of an inspection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inspection {
    /// `read`, `exists`, `glob`, `write` or `probe`.
    pub op: &'static str,
    /// The path, pattern or probe.
    pub target: String,
    /// `ok`, `missing`, `matched:N` or `exit:N`.
    pub status: String,
}

impl Inspection {
    fn new(op: &'static str, target: &str, status: impl Into<String>) -> Self {
        Self {
            op,
            target: target.to_owned(),
            status: status.into(),
        }
    }
}

/// The result of an inspection.
pub type Inspected<T> = Result<T, Box<Fault>>;

/// Whoever answers for files and probes. The grants have been checked.
pub trait Inspector {
    /// The content of a file.
    ///
    /// # Errors
    ///
    /// The path leads outside, is no file, or is too large.
    fn read(&mut self, path: &str) -> Inspected<Vec<u8>>;

    /// Whether a path is there.
    ///
    /// # Errors
    ///
    /// The path leads outside or cannot be looked at.
    fn exists(&mut self, path: &str) -> Inspected<bool>;

    /// The paths that a pattern finds, relative to the root.
    ///
    /// # Errors
    ///
    /// The pattern is malformed or leads outside.
    fn glob(&mut self, pattern: &str) -> Inspected<Vec<String>>;

    /// Replaces a file and gives back its path.
    ///
    /// # Errors
    ///
    /// The path leads outside, the content is too large, or writing fails.
    fn write(&mut self, path: &str, content: &[u8]) -> Inspected<String>;

    /// Runs a probe.
    ///
    /// # Errors
    ///
    /// There is no such probe, or it could not run.
    fn probe(&mut self, name: &str, arguments: &[String]) -> Inspected<ProbeAnswer>;

    /// The inspections that succeeded so far. An inspector that serves several scripts keeps them all.
    fn inspections(&self) -> Vec<Inspection>;
}
