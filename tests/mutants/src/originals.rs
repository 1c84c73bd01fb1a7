//! The stories that are changed: those that ship, and `wharf`, which imports some of them and uses what they do not.
//!
//! All of them lie side by side, so that an import finds its neighbour and a mistake in one of them shows in both.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// Files by their path below the folder in which the stories lie.
pub type Files = Vec<(String, String)>;

/// A story and all the files that are there with it.
#[derive(Clone, Debug)]
pub struct Original {
    /// Its folder.
    pub name: String,
    /// Its files and those of its neighbours, sorted.
    pub files: Files,
    /// How many of the files, from the first, are its own or those of stories that it imports.
    pub own: usize,
}

impl Original {
    /// The path of its manifest.
    #[must_use]
    pub fn manifest(&self) -> String {
        format!("{}/app.yaml", self.name)
    }
}

/// What `wharf` imports.
const IMPORTED: [&str; 3] = ["cloak", "git-hub", "pipeline"];

/// The stories, sorted by name. Empty when they cannot be read.
#[must_use]
pub fn originals() -> &'static [Original] {
    static ALL: LazyLock<Vec<Original>> = LazyLock::new(read);
    &ALL
}

fn read() -> Vec<Original> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut stories: Vec<(String, Files)> = Vec::new();
    for home in [here.join("../../stories"), here.join("stories")] {
        for dir in entries(&home) {
            let Some(name) = dir.file_name().and_then(|n| n.to_str()) else {
                continue;
            };
            let mut files = Files::new();
            gather(&dir, name, &mut files);
            files.sort();
            stories.push((name.to_owned(), files));
        }
    }
    stories.sort();
    let of = |names: &[&str]| -> Files {
        let named = stories.iter().filter(|(name, _)| names.contains(&name.as_str()));
        named.flat_map(|(_, files)| files.clone()).collect()
    };
    let original = |(name, files): &(String, Files)| {
        let neighbours = if name == "wharf" { of(&IMPORTED) } else { Files::new() };
        let files: Files = files.iter().cloned().chain(neighbours).collect();
        Original {
            name: name.clone(),
            own: files.len(),
            files,
        }
    };
    stories.iter().map(original).collect()
}

fn entries(dir: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = std::fs::read_dir(dir)
        .into_iter()
        .flatten()
        .flatten()
        .map(|e| e.path())
        .filter(|p| p.is_dir())
        .collect();
    found.sort();
    found
}

fn gather(dir: &Path, at: &str, files: &mut Files) {
    for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        let Ok(name) = entry.file_name().into_string() else {
            continue;
        };
        let path = format!("{at}/{name}");
        if entry.path().is_dir() {
            gather(&entry.path(), &path, files);
        } else if let Ok(text) = std::fs::read_to_string(entry.path()) {
            files.push((path, text));
        }
    }
}
