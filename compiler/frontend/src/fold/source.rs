//! From a `source:` to the manifest it means: paths, named stories, kits, git caches (`imports` 3). Nothing is downloaded.

use camino::{Utf8Path, Utf8PathBuf};

use super::kits;
use crate::db::{Db, PathKind, ReadError, SourceFile, normalize};
use crate::pipeline;

/// Why a source leads nowhere before any file of the child is read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum SourceFault {
    /// `@kitsoki/` with nothing or with a separator behind it.
    Name,
    /// No repository of stories above the importer.
    Discovery,
    /// The story is missing where it should be.
    NotFound(Utf8PathBuf),
    /// A variable or a saved setting asks for a checkout that does not have the story.
    Override(String),
    /// A git source that no cache answers.
    Git(String),
}

const NAMED: &str = "@kitsoki/";

/// The manifest that `source` means for an importer in `dir`.
pub(super) fn resolve(db: &dyn Db, dir: &Utf8Path, source: &str) -> Result<SourceFile, SourceFault> {
    if let Some((_, reference)) = kits::git_source(source) {
        return kits::cached(db, dir, source, reference)
            .map(|path| db.file(&path))
            .map_err(SourceFault::Git);
    }
    if let Some(name) = source.strip_prefix(NAMED) {
        return named(db, dir, name);
    }
    let path = normalize(&dir.join(source));
    let file = db.file(&path);
    Ok(match pipeline::unreadable(db, file) {
        Some(ReadError::NotAFile(PathKind::Directory)) => db.file(&path.join("app.yaml")),
        _ => file,
    })
}

fn named(db: &dyn Db, dir: &Utf8Path, name: &str) -> Result<SourceFile, SourceFault> {
    if name.is_empty() || name.contains(['/', '\\']) {
        return Err(SourceFault::Name);
    }
    if let Some(path) = kits::chosen(db, dir, name).map_err(SourceFault::Override)? {
        return Ok(db.file(&path));
    }
    let root = repository(db, dir).ok_or(SourceFault::Discovery)?;
    let path = root.join("stories").join(name).join("app.yaml");
    let file = db.file(&path);
    if pipeline::is_missing(db, file) {
        return Err(SourceFault::NotFound(path));
    }
    Ok(file)
}

/// The nearest folder upwards that holds `.kitsoki-root` or is a Go module called `kitsoki`.
fn repository(db: &dyn Db, dir: &Utf8Path) -> Option<Utf8PathBuf> {
    dir.ancestors().find(|d| is_repository(db, d)).map(Utf8Path::to_owned)
}

fn is_repository(db: &dyn Db, dir: &Utf8Path) -> bool {
    let marker = db.file(&dir.join(".kitsoki-root"));
    if !pipeline::is_missing(db, marker) {
        return true;
    }
    let module = db.file(&dir.join("go.mod"));
    let Some(text) = module.contents(db).text() else {
        return false;
    };
    let name = text.lines().find_map(|line| line.trim().strip_prefix("module "));
    name.map(|n| n.trim().trim_matches(['"', '\'']))
        .is_some_and(|n| n == "kitsoki" || n.ends_with("/kitsoki"))
}

/// A source that the author meant for something else than a relative path, with what to say about it.
pub(super) fn odd_shape(source: &str) -> Option<&'static str> {
    if source.starts_with("git+") && kits::git_source(source).is_none() {
        return Some(
            "a git source ends in `@` and a tag, a branch or a commit without a slash; this one is taken for a relative path",
        );
    }
    if source.starts_with('@') && !source.starts_with(NAMED) {
        return Some("the only named stories are those of `@kitsoki/`; this one is taken for a relative path");
    }
    None
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::db::{Database, MemorySystem};

    fn db(files: &[&str]) -> (Database, Arc<MemorySystem>) {
        let system = Arc::new(MemorySystem::new(files.iter().map(|f| (*f, ""))));
        (Database::new(system.clone()), system)
    }

    fn path(db: &Database, dir: &str, source: &str) -> Result<String, SourceFault> {
        resolve(db, Utf8Path::new(dir), source).map(|f| f.path(db).to_string())
    }

    #[test]
    fn a_folder_means_its_manifest() {
        let (db, _) = db(&["/s/kettle/app.yaml", "/s/kettle/other.yaml"]);
        assert_eq!(
            path(&db, "/s/kitchen", "../kettle"),
            Ok("/s/kettle/app.yaml".to_owned())
        );
        assert_eq!(
            path(&db, "/s", "./kettle/other.yaml"),
            Ok("/s/kettle/other.yaml".to_owned())
        );
        assert_eq!(path(&db, "/s", "/s/kettle"), Ok("/s/kettle/app.yaml".to_owned()));
        assert_eq!(path(&db, "/s", "none"), Ok("/s/none".to_owned()));
    }

    #[test]
    fn a_named_story_is_found_from_the_importer_upwards() {
        let (db, system) = db(&[
            "/r/.kitsoki-root",
            "/r/stories/tea/app.yaml",
            "/r/a/b/app.yaml",
            "/far/stories/tea/app.yaml",
        ]);
        assert_eq!(
            path(&db, "/r/a/b", "@kitsoki/tea"),
            Ok("/r/stories/tea/app.yaml".to_owned())
        );
        assert_eq!(
            path(&db, "/r", "@kitsoki/x"),
            Err(SourceFault::NotFound("/r/stories/x/app.yaml".into()))
        );
        assert_eq!(path(&db, "/q", "@kitsoki/tea"), Err(SourceFault::Discovery));
        assert_eq!(path(&db, "/r", "@kitsoki/a/b"), Err(SourceFault::Name));
        system.set_env("KITSOKI_REPO", "/far");
        assert_eq!(
            path(&db, "/r", "@kitsoki/tea"),
            Ok("/far/stories/tea/app.yaml".to_owned())
        );
        assert!(matches!(path(&db, "/r", "@kitsoki/x"), Err(SourceFault::Override(_))));
        system.set_env("KITSOKI_KIT_DEV_TEA", "/r/stories/tea");
        assert_eq!(
            path(&db, "/q", "@kitsoki/tea"),
            Ok("/r/stories/tea/app.yaml".to_owned())
        );
    }

    #[test]
    fn a_go_module_counts_by_its_name() {
        let system = Arc::new(MemorySystem::new([
            ("/m/go.mod", "// x\nmodule \"example.org/kitsoki\"\n"),
            ("/m/stories/tea/app.yaml", ""),
            ("/n/go.mod", "module kitsoki-tools\n"),
        ]));
        let db = Database::new(system);
        assert_eq!(
            path(&db, "/m", "@kitsoki/tea"),
            Ok("/m/stories/tea/app.yaml".to_owned())
        );
        assert_eq!(path(&db, "/n", "@kitsoki/tea"), Err(SourceFault::Discovery));
    }

    #[test]
    fn a_git_source_is_answered_by_the_cache_or_not_at_all() {
        let commit = "0123456789012345678901234567890123456789";
        let base = format!("/c/kitsoki/kits/git/{commit}");
        let system = Arc::new(MemorySystem::new([
            (format!("{base}/.materialized"), "c\nt\n".to_owned()),
            (format!("{base}/app.yaml"), String::new()),
            (
                "/p/.kitsoki/kits.lock".to_owned(),
                format!("version: 1\nkits:\n  tea:\n    source: git+https://h/o/r@v1\n    commit: {commit}\n"),
            ),
        ]));
        system.set_env("XDG_CACHE_HOME", "/c");
        let db = Database::new(system);
        let found = Ok(format!("{base}/app.yaml"));
        assert_eq!(path(&db, "/p/s", &format!("git+https://h/o/r@{commit}")), found);
        assert_eq!(path(&db, "/p/s", "git+https://h/o/r@v1"), found);
        assert!(matches!(
            path(&db, "/p/s", "git+https://h/o/r@v2"),
            Err(SourceFault::Git(_))
        ));
        assert_eq!(
            path(&db, "/p/s", "git+https://h/o/r@a/b").ok().as_deref(),
            Some("/p/s/git+https:/h/o/r@a/b")
        );
    }
}
