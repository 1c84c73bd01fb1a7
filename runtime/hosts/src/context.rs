//! Everything that a handler may reach beyond its arguments: places, variables, time, the session, its stores.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use crate::call::Data;
use crate::cancel::Cancel;
use crate::effects::Effect;
use crate::environment::Environment;
use crate::services::Services;

/// The surroundings of a call.
#[derive(Clone)]
pub struct Context {
    /// The folder that relative paths count from: an absolute path. Handlers never look at the process's own.
    pub current: PathBuf,
    /// The folder of the running story; absent when no story runs.
    pub story: Option<PathBuf>,
    /// The folders in which scripts are looked for before [`Self::story`]: its overlays.
    pub overlays: Vec<PathBuf>,
    /// Where the session keeps its files: prompts, transcripts. Absent outside of a session.
    pub session_folder: Option<PathBuf>,
    /// Variables, for handlers and for the programs they start.
    pub environment: Environment,
    /// The session's id; empty outside of one.
    pub session: String,
    /// The room that dispatches, as a dotted path; empty outside of a session.
    pub room: String,
    /// The world as it was when the call was dispatched; empty for a background job.
    pub world: Data,
    /// How far what the call sets off may reach: a handler that it calls in turn is refused beyond it.
    pub reach: Effect,
    /// Cancellation and deadline.
    pub cancel: Cancel,
    /// What time it is.
    pub clock: Arc<dyn Clock>,
    /// Stores and connections.
    pub services: Services,
}

impl Context {
    /// The context of a call outside of any session: nothing is wired.
    pub fn bare(current: impl Into<PathBuf>, environment: Environment) -> Self {
        Self {
            current: current.into(),
            story: None,
            overlays: Vec::new(),
            session_folder: None,
            environment,
            session: String::new(),
            room: String::new(),
            world: Data::new(),
            reach: Effect::External,
            cancel: Cancel::new(),
            clock: Arc::new(SystemClock),
            services: Services::default(),
        }
    }

    /// A path of an argument as a whole path, cleaned of `.` and `..`.
    pub fn path(&self, path: impl AsRef<Path>) -> PathBuf {
        crate::place::cleaned(&self.current.join(path))
    }

    /// Whether a comment may be added to a file of a whole path: below the folders that a session works in whatever it is
    /// called, elsewhere only to a markdown file. A path out of a world must not spoil any file of the machine.
    pub fn may_comment(&self, path: &Path, workdir: &str) -> bool {
        let temporary = self
            .environment
            .telling("TMPDIR")
            .map_or_else(|| PathBuf::from("/tmp"), PathBuf::from);
        let work = (!workdir.is_empty()).then(|| self.path(workdir));
        let tickets = self.environment.telling("KITSOKI_TICKETS_ROOT").map(|r| self.path(r));
        let folders = [
            Some(self.current.clone()),
            Some(temporary),
            self.story_folder(),
            work,
            tickets,
        ];
        let inside = folders
            .into_iter()
            .flatten()
            .any(|f| crate::place::stays_below(&f, path));
        inside || path.extension().is_some_and(|e| e.eq_ignore_ascii_case("md"))
    }

    /// The folder of the story, or the one that `KITSOKI_APP_DIR` names.
    pub fn story_folder(&self) -> Option<PathBuf> {
        self.story
            .clone()
            .or_else(|| self.environment.telling("KITSOKI_APP_DIR").map(|f| self.path(f.trim())))
    }
}

/// What time it is.
pub trait Clock: Send + Sync {
    /// Now.
    fn now(&self) -> SystemTime;
}

/// The clock of this machine.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> SystemTime {
        SystemTime::now()
    }
}
