//! Which stories a path stands for: a manifest, or every story below a folder; and which YAML files belong to them.

use camino::{Utf8Path, Utf8PathBuf};

/// Folders that hold no stories of the author.
const SKIPPED: [&str; 5] = [".git", "node_modules", "target", "__pycache__", "dist"];
/// How deep folders are searched.
const MAX_DEPTH: usize = 24;

/// Why a path stands for nothing.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum DiscoverError {
    /// Nothing is there.
    #[error("there is no file or folder `{0}`")]
    #[diagnostic(help("give a manifest such as `app.yaml`, or a folder with stories"))]
    Missing(Utf8PathBuf),
    /// A folder without stories.
    #[error("no story was found in `{0}`")]
    #[diagnostic(help("a story is a YAML file with `app:` beside `root:`, `states:`, `include:` or `imports:`"))]
    NoStory(Utf8PathBuf),
    /// A folder without YAML files of stories.
    #[error("no YAML file of a story was found in `{0}`")]
    #[diagnostic(help("name a file to format it whatever it is for"))]
    NoYaml(Utf8PathBuf),
    /// A pipe or a device.
    #[error("`{0}` is neither a file nor a folder")]
    Special(Utf8PathBuf),
}

/// The manifests that `paths` stand for, in the order given, folders sorted by name.
///
/// # Errors
/// When a path does not exist, or a folder holds no story.
pub fn manifests(paths: &[Utf8PathBuf]) -> Result<Vec<Utf8PathBuf>, DiscoverError> {
    let mut found: Vec<Utf8PathBuf> = Vec::new();
    for path in paths {
        let meta = std::fs::metadata(path).map_err(|_| DiscoverError::Missing(path.clone()))?;
        if meta.is_file() {
            found.push(path.clone());
        } else if meta.is_dir() {
            let own = path.join("app.yaml");
            let before = found.len();
            if own.is_file() {
                found.push(own);
            } else {
                search(path, 0, &is_story, &mut found);
            }
            if found.len() == before {
                return Err(DiscoverError::NoStory(path.clone()));
            }
        } else {
            return Err(DiscoverError::Special(path.clone()));
        }
    }
    let mut seen = std::collections::BTreeSet::new();
    found.retain(|p| seen.insert(p.clone()));
    Ok(found)
}

/// The YAML files that `paths` stand for: each file as given; of folders those that lie in the folder of a story, links left
/// out, so that nothing of another tool is touched unless it is named.
///
/// # Errors
/// When a path does not exist, or a folder holds no such file.
pub fn yaml_files(paths: &[Utf8PathBuf]) -> Result<Vec<Utf8PathBuf>, DiscoverError> {
    let mut found: Vec<Utf8PathBuf> = Vec::new();
    for path in paths {
        let meta = std::fs::metadata(path).map_err(|_| DiscoverError::Missing(path.clone()))?;
        if meta.is_file() {
            found.push(path.clone());
        } else if meta.is_dir() {
            let mut all = Vec::new();
            search(path, 0, &|_| true, &mut all);
            if !in_a_story(path) {
                let stories: Vec<Utf8PathBuf> =
                    all.iter().filter(|file| is_story(file)).filter_map(folder_of).collect();
                all.retain(|file| stories.iter().any(|story| file.starts_with(story)));
            }
            if all.is_empty() {
                return Err(DiscoverError::NoYaml(path.clone()));
            }
            found.append(&mut all);
        } else {
            return Err(DiscoverError::Special(path.clone()));
        }
    }
    let mut seen = std::collections::BTreeSet::new();
    found.retain(|p| seen.insert(p.clone()));
    Ok(found)
}

fn folder_of(file: &Utf8PathBuf) -> Option<Utf8PathBuf> {
    file.parent().map(Utf8Path::to_owned)
}

/// Whether a folder lies in the folder of a story, or is one.
fn in_a_story(dir: &Utf8Path) -> bool {
    let dir = dir.canonicalize_utf8().unwrap_or_else(|_| dir.to_owned());
    dir.ancestors().any(|above| is_story(&above.join("app.yaml")))
}

fn search(dir: &Utf8Path, depth: usize, wanted: &dyn Fn(&Utf8Path) -> bool, found: &mut Vec<Utf8PathBuf>) {
    if depth > MAX_DEPTH {
        return;
    }
    let Ok(entries) = dir.read_dir_utf8() else { return };
    let mut entries: Vec<_> = entries.flatten().collect();
    entries.sort_by(|a, b| a.file_name().cmp(b.file_name()));
    for entry in entries {
        let Ok(kind) = entry.file_type() else { continue };
        let name = entry.file_name();
        if kind.is_dir() {
            if !SKIPPED.contains(&name) {
                search(entry.path(), depth + 1, wanted, found);
            }
        } else if kind.is_file() && (name.ends_with(".yaml") || name.ends_with(".yml")) && wanted(entry.path()) {
            found.push(entry.path().to_owned());
        }
    }
}

/// Whether a file looks like a manifest: `app:` with a mapping, beside another key of a story, and no kind of its own.
#[must_use]
pub fn is_story(path: &Utf8Path) -> bool {
    let Ok(text) = std::fs::read_to_string(path) else {
        return false;
    };
    looks_like_story(&text)
}

fn looks_like_story(text: &str) -> bool {
    let mut app = false;
    let mut other = false;
    let mut lines = text.strip_prefix('\u{feff}').unwrap_or(text).lines().peekable();
    while let Some(line) = lines.next() {
        let Some((key, rest)) = line.split_once(':') else {
            continue;
        };
        match key.trim_end() {
            "app" => {
                let rest = rest.trim_start();
                let rest = rest
                    .strip_prefix('&')
                    .and_then(|r| r.split_once(' '))
                    .map_or(rest, |(_, r)| r.trim_start());
                let nested = || {
                    let mut ahead = lines.clone();
                    ahead
                        .find(|l| !l.trim().is_empty() && !l.trim_start().starts_with('#'))
                        .is_some_and(|l| l.starts_with([' ', '\t']))
                };
                app |= rest.starts_with('{') || ((rest.is_empty() || rest.starts_with('#')) && nested());
            }
            "root" | "states" | "include" | "imports" | "intents" | "phases" | "meta_modes" => other = true,
            "test_kind" | "kind" => return false,
            _ => {}
        }
    }
    app && other
}

#[cfg(test)]
mod tests {
    use super::looks_like_story;

    #[test]
    fn a_manifest_is_known_by_its_shape() {
        assert!(looks_like_story("app: { id: a }\nroot: x\n"));
        assert!(looks_like_story("app:\n  # the id\n  id: a\nstates: {}\n"));
        assert!(!looks_like_story("app: ../app.yaml\ntest_kind: flow\n"));
        assert!(!looks_like_story("app: name\nroot: x\n"));
        assert!(!looks_like_story("states: {}\n"));
    }
}
