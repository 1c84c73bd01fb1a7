//! Where every node came from: its own place, and the macro or the imports that brought it here.

use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use crate::arena::{Arena, OriginId};
use crate::is_default;

/// The origins of a story's nodes.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Provenance {
    /// Paths of the story's files, relative to the story's folder where they lie in it.
    pub files: Vec<SmolStr>,
    /// The places.
    pub origins: Arena<OriginId, Origin>,
}

/// One place, with what lies between it and the node.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Origin {
    /// Index in [`Provenance::files`]; `None` for what comes from the program itself and no line caused.
    #[serde(default, skip_serializing_if = "is_default")]
    pub file: Option<u32>,
    /// Line, from 1; 0 without a file.
    #[serde(default, skip_serializing_if = "is_default")]
    pub line: u32,
    /// Column in characters, from 1; 0 without a file.
    #[serde(default, skip_serializing_if = "is_default")]
    pub column: u32,
    /// Byte range in the file.
    #[serde(default, skip_serializing_if = "is_default")]
    pub range: (u32, u32),
    /// The macro that made the node because of this place; `None`: somebody wrote it there.
    #[serde(default, skip_serializing_if = "is_default")]
    pub made: Option<Made>,
    /// The import through which this place belongs to the story.
    #[serde(default, skip_serializing_if = "is_default")]
    pub via: Option<OriginId>,
}

/// What makes nodes that nobody wrote.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Made {
    /// The fold of an import: wrapper, resets, values pushed in and out.
    Import,
    /// `phases` and its template.
    Phases,
    /// `workbench`.
    Workbench,
    /// `agent_off_ramp.capture_free_text`.
    Capture,
    /// The free-form fallback.
    Fallback,
    /// The built-in story-authoring room and the arcs that lead there.
    StoryAuthoring,
    /// The built-in meta modes.
    MetaModes,
    /// An exit of a story that runs by itself.
    Exit,
    /// Interface resolution and defaults that the program brings.
    Builtin,
}

impl Made {
    /// The word for people: the key or mechanism.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Made::Import => "import",
            Made::Phases => "phases",
            Made::Workbench => "workbench",
            Made::Capture => "capture_free_text",
            Made::Fallback => "free_form_fallback",
            Made::StoryAuthoring => "story authoring",
            Made::MetaModes => "meta modes",
            Made::Exit => "exit",
            Made::Builtin => "built-in",
        }
    }
}

impl Provenance {
    /// The way from a node to its text: the node's own place first, then the imports outwards.
    ///
    /// ```
    /// use kitsoki_ir::{Made, Origin, Provenance};
    ///
    /// let mut all = Provenance { files: vec!["app.yaml".into(), "bench/app.yaml".into()], ..Provenance::default() };
    /// let import = Origin { file: Some(0), line: 8, column: 3, range: (70, 71), made: None, via: None };
    /// let import = all.origins.push(import);
    /// let key = Origin { file: Some(1), line: 12, column: 5, range: (200, 209), made: Some(Made::Workbench), via: Some(import) };
    /// let key = all.origins.push(key);
    /// assert_eq!(all.chain(key).count(), 2);
    /// assert_eq!(all.describe(key), "workbench at bench/app.yaml:12, imported at app.yaml:8");
    /// ```
    pub fn chain(&self, at: OriginId) -> impl Iterator<Item = &Origin> {
        // A chain leads to earlier entries only, so it ends; see `read`.
        std::iter::successors(self.origins.get(at), |origin| self.origins.get(origin.via?))
    }

    /// The chain in words: `workbench at rooms/bench.yaml:12, imported at app.yaml:8`.
    #[must_use]
    pub fn describe(&self, at: OriginId) -> String {
        let mut out = String::new();
        for (n, origin) in self.chain(at).enumerate() {
            if n > 0 {
                out.push_str(", imported at ");
            } else if let Some(made) = origin.made {
                out.push_str(made.as_str());
                if origin.file.is_some() {
                    out.push_str(" at ");
                }
            }
            if let Some(file) = origin.file.and_then(|f| self.files.get(f as usize)) {
                out.push_str(file);
                out.push(':');
                out.push_str(&origin.line.to_string());
            }
        }
        out
    }

    /// The macro that made a node; `None`: somebody wrote it.
    #[must_use]
    pub fn made(&self, at: OriginId) -> Option<Made> {
        self.origins.get(at)?.made
    }
}
