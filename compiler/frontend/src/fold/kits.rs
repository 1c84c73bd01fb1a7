//! Where a named or a git source may come from beside the repository: staged kits, development checkouts, caches
//! (`imports` 3.2, 3.3). Everything here is looked up; nothing is fetched.

use camino::{Utf8Path, Utf8PathBuf};
use kitsoki_syntax::{NodeId, Tree};

use crate::db::{Db, PathKind};
use crate::pipeline;

/// Url and reference of a git source: everything up to the last `@`, and a reference without `@` and `/`.
pub(super) fn git_source(source: &str) -> Option<(&str, &str)> {
    let (url, reference) = source.strip_prefix("git+")?.rsplit_once('@')?;
    (!url.is_empty() && !reference.is_empty() && !reference.contains('/')).then_some((url, reference))
}

/// The manifest of a git source in the cache: by its commit, or by the commit that the lock file of the project gives it.
pub(super) fn cached(db: &dyn Db, dir: &Utf8Path, source: &str, reference: &str) -> Result<Utf8PathBuf, String> {
    let is_commit = reference.len() == 40 && reference.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    let commit = if is_commit {
        reference.to_owned()
    } else {
        locked(db, dir, "kits.lock", |tree, kit| {
            text(tree, kit, "source") == Some(source)
        })
        .and_then(|entry| entry.commit)
        .ok_or("no lock file gives this source a commit, and checking a story fetches nothing")?
    };
    let root = cache(db, &commit).ok_or("its commit is not in the cache, and checking a story fetches nothing")?;
    let manifest = root.join("app.yaml");
    if is_missing(db, &manifest) {
        return Err("the cached repository has no `app.yaml` at its root".to_owned());
    }
    Ok(manifest)
}

/// The manifest of a named story that a setting of the user puts before every other.
pub(super) fn chosen(db: &dyn Db, dir: &Utf8Path, name: &str) -> Result<Option<Utf8PathBuf>, String> {
    if let Some(path) = staged(db, dir, name)? {
        return Ok(Some(path));
    }
    if let Some((checkout, from)) = development(db, name) {
        let manifest = checkout.join("app.yaml");
        return if is_missing(db, &manifest) {
            Err(format!("{from} says `{checkout}`, which has no `app.yaml`"))
        } else {
            Ok(Some(manifest))
        };
    }
    let Some(repository) = env(db, "KITSOKI_REPO") else {
        return Ok(None);
    };
    let manifest = absolute(dir, &repository).join("stories").join(name).join("app.yaml");
    if is_missing(db, &manifest) {
        return Err(format!(
            "the variable `KITSOKI_REPO` says `{repository}`, which has no story `{name}`"
        ));
    }
    Ok(Some(manifest))
}

/// A kit that waits for approval, when the user asks for it.
fn staged(db: &dyn Db, dir: &Utf8Path, name: &str) -> Result<Option<Utf8PathBuf>, String> {
    let Some(selector) = env(db, "KITSOKI_KIT_STAGED") else {
        return Ok(None);
    };
    let all = ["all", "1", "true"].contains(&selector.as_str());
    if !all && !selector.split(',').any(|s| s.trim() == name) {
        return Ok(None);
    }
    let entry = locked(db, dir, "kits.staged.lock", |tree, kit| tree.key_of(kit) == Some(name));
    let Some(entry) = entry else {
        return if all {
            Ok(None)
        } else {
            Err(format!(
                "the variable `KITSOKI_KIT_STAGED` asks for the kit `{name}`, which is not staged"
            ))
        };
    };
    let root = entry.commit.as_deref().and_then(|commit| cache(db, commit));
    let root = root.or_else(|| entry.tree.as_deref().and_then(|tree| cached_tree(db, tree)));
    let root = root.ok_or_else(|| format!("the staged kit `{name}` is no longer in the cache"))?;
    // A kit is a story by itself or a repository of stories.
    [root.join("stories").join(name).join("app.yaml"), root.join("app.yaml")]
        .into_iter()
        .find(|m| !is_missing(db, m))
        .map(Some)
        .ok_or_else(|| format!("the staged kit `{name}` has no `app.yaml`"))
}

/// The development checkout of a story: a variable, else a saved path that is still a folder; with the word for where it
/// comes from.
fn development(db: &dyn Db, name: &str) -> Option<(Utf8PathBuf, String)> {
    let variable: String = name
        .chars()
        .filter(|c| *c != '@')
        .map(|c| if matches!(c, '-' | '/') { '_' } else { c })
        .collect();
    let variable = format!("KITSOKI_KIT_DEV_{}", variable.to_uppercase());
    if let Some(path) = env(db, &variable) {
        return Some((path.trim().into(), format!("the variable `{variable}`")));
    }
    let saved = Utf8PathBuf::from(env(db, "HOME")?).join(".kitsoki/kit-dev").join(name);
    let file = db.file(&saved);
    let path = Utf8PathBuf::from(file.contents(db).text()?.trim());
    let is_folder = path.is_absolute() && db.system().kind(&path) == Some(PathKind::Directory);
    is_folder.then(|| (path, format!("the saved checkout of `{name}`")))
}

/// What a lock file says about one kit.
struct Locked {
    commit: Option<String>,
    tree: Option<String>,
}

/// A kit of a lock file with the key it stands under.
struct Kit<'t> {
    tree: &'t Tree,
}

impl Kit<'_> {
    fn key_of(&self, entry: &kitsoki_syntax::Entry) -> Option<&str> {
        match self.tree.value(self.tree.resolve_alias(entry.key)) {
            kitsoki_syntax::Resolved::Str(text) => Some(text),
            _ => None,
        }
    }
}

/// The first fitting kit of the nearest lock file upwards.
fn locked(
    db: &dyn Db,
    dir: &Utf8Path,
    file: &str,
    fits: impl Fn(&Kit<'_>, &kitsoki_syntax::Entry) -> bool,
) -> Option<Locked> {
    let lock = dir.ancestors().map(|d| db.file(&d.join(".kitsoki").join(file)));
    let lock = lock.into_iter().find(|f| f.contents(db).text().is_some())?;
    let tree = &crate::pipeline::parse(db, lock).tree;
    let kits = tree.resolve_alias(tree.get(tree.root()?, "kits")?.value);
    let kitsoki_syntax::NodeKind::Mapping(entries) = &tree.node(kits).kind else {
        return None;
    };
    let kit = Kit { tree };
    let entry = entries.iter().find(|e| fits(&kit, e))?;
    Some(Locked {
        commit: text(&kit, entry, "commit").map(str::to_owned).filter(|c| !c.is_empty()),
        tree: text(&kit, entry, "tree_hash").map(str::to_owned),
    })
}

fn text<'t>(kit: &Kit<'t>, entry: &kitsoki_syntax::Entry, key: &str) -> Option<&'t str> {
    let body: NodeId = kit.tree.resolve_alias(entry.value);
    let value = kit.tree.resolve_alias(kit.tree.get(body, key)?.value);
    match &kit.tree.node(value).kind {
        kitsoki_syntax::NodeKind::Scalar(scalar) => Some(&scalar.text),
        _ => None,
    }
}

/// The folder of all cached commits.
fn cache_root(db: &dyn Db) -> Option<Utf8PathBuf> {
    let base = env(db, "XDG_CACHE_HOME")
        .map(|p| Utf8PathBuf::from(p.trim()))
        .filter(|p| p.is_absolute())
        .or_else(|| env(db, "HOME").map(|home| Utf8PathBuf::from(home).join(".cache")))?;
    Some(base.join("kitsoki/kits/git"))
}

/// The folder of a cached commit, when its download was finished.
fn cache(db: &dyn Db, commit: &str) -> Option<Utf8PathBuf> {
    if !commit.bytes().all(|b| b.is_ascii_alphanumeric()) {
        return None;
    }
    let root = cache_root(db)?.join(commit);
    (!is_missing(db, &root.join(".materialized"))).then_some(root)
}

/// The folder of a cached commit whose tree has this hash.
fn cached_tree(db: &dyn Db, hash: &str) -> Option<Utf8PathBuf> {
    let root = cache_root(db)?;
    let listing = db.listing(&root);
    listing.entries(db).iter().map(|e| root.join(&e.name)).find(|dir| {
        let sentinel = db.file(&dir.join(".materialized"));
        sentinel
            .contents(db)
            .text()
            .is_some_and(|t| t.lines().nth(1).map(str::trim) == Some(hash))
    })
}

fn env(db: &dyn Db, name: &str) -> Option<String> {
    db.system().env(name).filter(|v| !v.trim().is_empty())
}

fn absolute(dir: &Utf8Path, path: &str) -> Utf8PathBuf {
    crate::db::normalize(&dir.join(path.trim()))
}

fn is_missing(db: &dyn Db, path: &Utf8Path) -> bool {
    pipeline::is_missing(db, db.file(path))
}
