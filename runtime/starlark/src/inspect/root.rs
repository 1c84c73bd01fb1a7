//! Which folder `ctx.fs` and `ctx.probe` are rooted in (`starlark` 4.4).

use std::path::{Path, PathBuf};

/// What is known about a call when the root is chosen.
#[derive(Debug, Clone, Default)]
pub struct RootHints<'a> {
    /// `world.workdir` of the snapshot, when it is a text.
    pub workdir: Option<&'a str>,
    /// The folder of the running story.
    pub story: Option<&'a Path>,
    /// `KITSOKI_APP_DIR`, when set.
    pub app_dir: Option<&'a Path>,
    /// The script.
    pub script: Option<&'a Path>,
    /// The process's current folder.
    pub current: PathBuf,
}

impl RootHints<'_> {
    /// The folder.
    pub fn choose(&self) -> PathBuf {
        let workdir = self.workdir.unwrap_or_default();
        if !workdir.is_empty() && workdir != "." {
            return PathBuf::from(workdir);
        }
        if let Some(folder) = self.story.or(self.app_dir).filter(|f| !f.as_os_str().is_empty()) {
            return widen(folder).unwrap_or_else(|| folder.to_owned());
        }
        if workdir == "." {
            return PathBuf::from(".");
        }
        self.script
            .and_then(Path::parent)
            .and_then(widen)
            .unwrap_or_else(|| self.current.clone())
    }
}

/// The nearest folder, from this one upwards, that holds `go.mod` or `.kitsoki-root`.
pub fn widen(folder: &Path) -> Option<PathBuf> {
    folder
        .ancestors()
        .find(|f| f.join("go.mod").exists() || f.join(".kitsoki-root").exists())
        .map(Path::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_workdir_of_the_world_comes_first_and_a_dot_says_nothing() {
        let hints = RootHints {
            workdir: Some("work"),
            current: PathBuf::from("/here"),
            ..RootHints::default()
        };
        assert_eq!(hints.choose(), PathBuf::from("work"));
        let story = Path::new("/nowhere/story");
        let hints = RootHints {
            workdir: Some("."),
            story: Some(story),
            ..hints
        };
        assert_eq!(hints.choose(), story);
        let hints = RootHints { story: None, ..hints };
        assert_eq!(hints.choose(), PathBuf::from("."));
        let hints = RootHints { workdir: None, ..hints };
        assert_eq!(hints.choose(), PathBuf::from("/here"));
    }
}
