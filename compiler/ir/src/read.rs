//! Reading and writing a story: JSON for machines, YAML for diffs.
//!
//! What is read is checked: the version first, before anything else is looked at, then every id against the length of
//! its table. A story that was read can be run without looking at either again.

mod ids;

use serde::Deserialize;

use crate::arena::Id;
use crate::story::{Story, VERSION};

/// Why a stored story cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReadError {
    /// Written by another version of the program.
    #[error(
        "this is a compiled story of version {found}; this program reads version {VERSION}: compile the story again"
    )]
    Version {
        /// The version of the file.
        found: u32,
    },
    /// No compiled story at all.
    #[error("this is no compiled story: it has no `version`")]
    NotAStory,
    /// Not what the version says; with the reader's words.
    #[error("the compiled story is damaged: {0}")]
    Damaged(String),
    /// An id that leads nowhere.
    #[error("the compiled story is damaged: {what} {id} does not exist")]
    Dangling {
        /// Which table.
        what: &'static str,
        /// Index in it.
        id: usize,
    },
    /// A state before the one around it, or an origin before what it refers to: chains would not end.
    #[error("the compiled story is damaged: {what} {id} comes before what it belongs to")]
    Order {
        /// Which table.
        what: &'static str,
        /// Index in it.
        id: usize,
    },
}

#[derive(Deserialize)]
struct Stamp {
    version: Option<u32>,
}

impl Story {
    /// The story as JSON on one line.
    ///
    /// # Errors
    /// Never for a story that a compiler made; the signature is that of the writer.
    pub fn to_json(&self) -> Result<String, ReadError> {
        serde_json::to_string(self).map_err(|e| ReadError::Damaged(e.to_string()))
    }

    /// The story as JSON on one line, behind what `out` holds already.
    ///
    /// # Errors
    /// As [`Story::to_json`].
    pub fn append_json(&self, out: Vec<u8>) -> Result<Vec<u8>, ReadError> {
        let mut out = out;
        serde_json::to_writer(&mut out, self).map_err(|e| ReadError::Damaged(e.to_string()))?;
        Ok(out)
    }

    /// The story as JSON on many lines.
    ///
    /// # Errors
    /// As [`Story::to_json`].
    pub fn to_json_pretty(&self) -> Result<String, ReadError> {
        serde_json::to_string_pretty(self).map_err(|e| ReadError::Damaged(e.to_string()))
    }

    /// The story as YAML.
    ///
    /// # Errors
    /// As [`Story::to_json`].
    pub fn to_yaml(&self) -> Result<String, ReadError> {
        // Through JSON values: writing every type for a second format would double the time it takes to build this package.
        let value = serde_json::to_value(self).map_err(|e| ReadError::Damaged(e.to_string()))?;
        serde_saphyr::to_string(&value).map_err(|e| ReadError::Damaged(e.to_string()))
    }

    /// Reads JSON.
    ///
    /// # Errors
    /// Another version, a damaged text, ids that lead nowhere. A story with more than some hundred `on_complete` lists or
    /// values inside of each other cannot be stored.
    pub fn from_json(text: &str) -> Result<Self, ReadError> {
        stamp(serde_json::from_str(text).map_err(|e| e.to_string()))?;
        let story: Story = serde_json::from_str(text).map_err(|e| ReadError::Damaged(e.to_string()))?;
        story.check()?;
        Ok(story)
    }

    /// Reads YAML.
    ///
    /// # Errors
    /// As [`Story::from_json`].
    pub fn from_yaml(text: &str) -> Result<Self, ReadError> {
        // The text is our own: what bounds it is its length, not a budget against alias bombs.
        let options = || {
            let mut options = serde_saphyr::Options::default();
            options.budget = None;
            options.strict_booleans = true;
            options
        };
        stamp(serde_saphyr::from_str_with_options(text, options()).map_err(|e| e.to_string()))?;
        let value: serde_json::Value =
            serde_saphyr::from_str_with_options(text, options()).map_err(|e| ReadError::Damaged(e.to_string()))?;
        let story: Story = serde_json::from_value(value).map_err(|e| ReadError::Damaged(e.to_string()))?;
        story.check()?;
        Ok(story)
    }

    /// Checks what types cannot say: that every id leads somewhere and that chains end.
    ///
    /// # Errors
    /// The first fault.
    pub fn check(&self) -> Result<(), ReadError> {
        ids::check(self)?;
        for (id, state) in self.states.pairs() {
            if state.parent.is_some_and(|p| p >= id) || state.children.iter().any(|c| *c <= id) {
                return Err(ReadError::Order {
                    what: "state",
                    id: id.index(),
                });
            }
        }
        for (id, origin) in self.provenance.origins.pairs() {
            if origin.via.is_some_and(|v| v >= id) {
                return Err(ReadError::Order {
                    what: "origin",
                    id: id.index(),
                });
            }
        }
        Ok(())
    }
}

fn stamp(read: Result<Stamp, String>) -> Result<(), ReadError> {
    match read {
        Ok(Stamp { version: Some(VERSION) }) => Ok(()),
        Ok(Stamp { version: Some(found) }) => Err(ReadError::Version { found }),
        Ok(Stamp { version: None }) => Err(ReadError::NotAStory),
        Err(message) => Err(ReadError::Damaged(message)),
    }
}
