//! Stories that texts are routed in: loaded once, with their phrases.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use kitsoki_compiler::pipeline;
use kitsoki_diagnostics::Level;
use kitsoki_routing::Phrases;
use kitsoki_runtime::{NoFiles, Program, World};

use crate::session::Session;

/// A story and its phrases.
pub struct Loaded {
    /// The story.
    pub program: Program,
    /// Its phrases.
    pub phrases: Phrases,
}

impl Loaded {
    /// The world in which a session begins.
    #[must_use]
    pub fn world(&self) -> World {
        World::of_story(&self.program.story)
    }
}

/// The stories of one run.
pub struct Stories {
    session: Session,
    loaded: HashMap<Utf8PathBuf, Result<Rc<Loaded>, String>>,
}

impl Stories {
    /// None yet.
    ///
    /// # Errors
    /// When there is no current directory.
    pub fn new() -> miette::Result<Self> {
        Ok(Self {
            session: Session::new()?,
            loaded: HashMap::new(),
        })
    }

    /// The story of a manifest.
    ///
    /// # Errors
    /// The headline of the first error, when the story is refused.
    pub fn get(&mut self, manifest: &Utf8Path) -> Result<Rc<Loaded>, String> {
        if let Some(found) = self.loaded.get(manifest) {
            return found.clone();
        }
        let found = self.load(manifest);
        self.loaded.insert(manifest.to_owned(), found.clone());
        found
    }

    fn load(&self, manifest: &Utf8Path) -> Result<Rc<Loaded>, String> {
        let root = self.session.file(manifest);
        let findings = pipeline::findings(&self.session.db, root);
        if let Some(error) = findings.iter().find(|f| f.severity == Level::Error) {
            return Err(error.message.to_string());
        }
        let story = pipeline::lowered(&self.session.db, root).clone();
        Ok(Rc::new(Loaded {
            phrases: Phrases::new(&story),
            // Nothing is shown, so no view is read.
            program: Program::new(story, Arc::new(NoFiles)),
        }))
    }
}
