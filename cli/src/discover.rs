//! Which stories a path stands for: a manifest, or every story below a folder; and which YAML files belong to them.

use camino::{Utf8Path, Utf8PathBuf};
use kitsoki_compiler::looks_like_story;

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
    /// Something is there and cannot be looked at.
    #[error("`{0}` cannot be read: {1}")]
    Unreadable(Utf8PathBuf, String),
    /// `-`, which stands for standard input elsewhere.
    #[error("a story is not read from standard input")]
    #[diagnostic(help("give a manifest such as `app.yaml`: what it includes and imports is found from there"))]
    StandardInput,
    /// A file of a story that is no manifest.
    #[error("`{0}` is {1}, not the manifest of a story")]
    #[diagnostic(help("{2}"))]
    Fixture(Utf8PathBuf, &'static str, &'static str),
    /// A folder without stories.
    #[error("no story was found in `{0}`")]
    #[diagnostic(help(
        "a story is a YAML file with `app:` beside `root:`, `states:`, `include:` or `imports:`; links are not followed"
    ))]
    NoStory(Utf8PathBuf),
    /// A folder with stories where one is wanted.
    #[error("`{0}` holds several stories")]
    #[diagnostic(help("name one of its manifests, such as `{1}`"))]
    Several(Utf8PathBuf, Utf8PathBuf),
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
    if let Some(error) = paths.iter().find_map(|path| no_manifest(path)) {
        return Err(error);
    }
    files(paths, |dir| {
        let own = dir.join("app.yaml");
        let mut found = Vec::new();
        if own.is_file() {
            found.push(own);
        } else {
            search(dir, 0, &is_story, &mut found);
        }
        if found.is_empty() {
            return Err(DiscoverError::NoStory(dir.to_owned()));
        }
        Ok(found)
    })
}

/// The one manifest that a path stands for.
///
/// # Errors
/// When the path does not exist, or a folder holds no story or several.
pub fn manifest(path: &Utf8Path) -> Result<Utf8PathBuf, DiscoverError> {
    let found = manifests(&[path.to_owned()])?;
    <[Utf8PathBuf; 1]>::try_from(found).map(|[one]| one).map_err(|found| {
        let first = found.into_iter().next().unwrap_or_default();
        DiscoverError::Several(path.to_owned(), first)
    })
}

/// Why a path that is given as a manifest can be none, as far as that is plain from its first words.
fn no_manifest(path: &Utf8Path) -> Option<DiscoverError> {
    if path == "-" && !path.exists() {
        return Some(DiscoverError::StandardInput);
    }
    if !path.is_file() || is_story(path) {
        return None;
    }
    let text = std::fs::read_to_string(path).ok()?;
    let says = |key: &str, word: &str| {
        let value = |line: &str| {
            line.strip_prefix(key)
                .map(|rest| rest.trim().trim_matches(['"', '\'']).to_owned())
        };
        text.lines().filter_map(value).any(|value| value == word)
    };
    let (kind, help) = if says("test_kind:", "flow") {
        ("a flow", "`kitsoki test flows STORY --flows FILE` runs it")
    } else if says("test_kind:", "intents") {
        (
            "a fixture of intents",
            "`kitsoki test routing STORY --intents FILE` judges it",
        )
    } else if says("kind:", "host_cassette") {
        (
            "a cassette",
            "`kitsoki test flows STORY` plays it with the flow that names it",
        )
    } else {
        return None;
    };
    Some(DiscoverError::Fixture(path.to_owned(), kind, help))
}

/// The YAML files that `paths` stand for: each file as given; of folders those that lie in the folder of a story, links left
/// out, so that nothing of another tool is touched unless it is named.
///
/// # Errors
/// When a path does not exist, or a folder holds no such file.
pub fn yaml_files(paths: &[Utf8PathBuf]) -> Result<Vec<Utf8PathBuf>, DiscoverError> {
    files(paths, |dir| {
        let mut all = Vec::new();
        search(dir, 0, &|_| true, &mut all);
        if !in_a_story(dir) {
            let stories: Vec<Utf8PathBuf> = all.iter().filter(|file| is_story(file)).filter_map(folder_of).collect();
            all.retain(|file| stories.iter().any(|story| file.starts_with(story)));
        }
        if all.is_empty() {
            return Err(DiscoverError::NoYaml(dir.to_owned()));
        }
        Ok(all)
    })
}

/// Files as given and what `of_folder` finds in folders, each once.
fn files(
    paths: &[Utf8PathBuf],
    of_folder: impl Fn(&Utf8Path) -> Result<Vec<Utf8PathBuf>, DiscoverError>,
) -> Result<Vec<Utf8PathBuf>, DiscoverError> {
    let mut found: Vec<Utf8PathBuf> = Vec::new();
    for path in paths {
        let meta = std::fs::metadata(path).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => DiscoverError::Missing(path.clone()),
            _ => DiscoverError::Unreadable(path.clone(), error.to_string()),
        })?;
        if meta.is_file() {
            found.push(path.clone());
        } else if meta.is_dir() {
            found.extend(of_folder(path)?);
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
