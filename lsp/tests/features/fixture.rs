//! Workspaces in one text: a line `//- /path` starts a file, `$0` is the cursor, a pair `$0…$0` a selection.

use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use kitsoki_compiler::db::{Database, MemorySystem, SourceFile};
use kitsoki_lsp::features::{At, Place, Snapshot, Workspace};
use kitsoki_syntax::{TextRange, TextSize};

/// A workspace with a cursor.
pub struct Fixture {
    /// The state.
    pub snapshot: Snapshot,
    /// The cursor.
    pub at: At,
    /// The selection; empty at the cursor when there is one sign only.
    pub selection: TextRange,
    /// The files in the order of the text.
    pub files: Vec<Utf8PathBuf>,
}

/// Reads a workspace. A text without a file line is `/s/app.yaml`.
#[track_caller]
pub fn fixture(text: &str) -> Fixture {
    let mut files: Vec<(Utf8PathBuf, String)> = Vec::new();
    for line in text.split_inclusive('\n') {
        if let Some(path) = line.strip_prefix("//- ") {
            files.push((Utf8PathBuf::from(path.trim()), String::new()));
        } else {
            if files.is_empty() {
                files.push((Utf8PathBuf::from("/s/app.yaml"), String::new()));
            }
            files.last_mut().unwrap().1.push_str(line);
        }
    }
    let mut cursor: Option<(Utf8PathBuf, usize, usize)> = None;
    for (path, body) in &mut files {
        while let Some(at) = body.find("$0") {
            body.replace_range(at..at + 2, "");
            cursor = Some(match cursor.take() {
                None => (path.clone(), at, at),
                Some((path, start, _)) => (path, start, at),
            });
        }
    }
    let (path, start, end) = cursor.expect("a cursor `$0`");
    let system = Arc::new(MemorySystem::new(files.iter().map(|(p, t)| (p.as_str(), t.as_str()))));
    let stories = files
        .iter()
        .filter(|(_, text)| kitsoki_compiler::looks_like_story(text))
        .map(|(path, _)| path.clone())
        .collect();
    let snapshot = Snapshot {
        db: Database::for_editing(system),
        workspace: Arc::new(Workspace {
            folders: vec!["/".into()],
            stories,
            open: vec![path.clone()],
            levels: None,
        }),
    };
    let size = |n: usize| TextSize::new(u32::try_from(n).unwrap());
    let file = snapshot.file(&path);
    Fixture {
        at: At {
            file,
            offset: size(start),
        },
        selection: TextRange::new(size(start), size(end)),
        files: files.into_iter().map(|(p, _)| p).collect(),
        snapshot,
    }
}

impl Fixture {
    /// The words at a place with the line around them: `app.yaml:3 ‹name›`.
    pub fn show(&self, place: Place) -> String {
        let path = place.file.path(&self.snapshot.db);
        let line = self.snapshot.lines(place.file).line_col(place.range.start()).line;
        format!(
            "{}:{line} {}",
            path.as_str().trim_start_matches("/s/"),
            self.words(place)
        )
    }

    /// The words at a place.
    pub fn words(&self, place: Place) -> String {
        let text = self.snapshot.text(place.file);
        text[std::ops::Range::<usize>::from(place.range)].to_owned()
    }

    /// A file.
    pub fn file(&self, path: &str) -> SourceFile {
        self.snapshot.file(Utf8Path::new(path))
    }

    /// The texts after some edits, file by file, with `//-` lines when there are several.
    pub fn edited(&self, edits: &[(Place, String)]) -> String {
        let mut out = String::new();
        for path in &self.files {
            let file = self.file(path.as_str());
            let mut own: Vec<&(Place, String)> = edits.iter().filter(|(p, _)| p.file == file).collect();
            own.sort_by_key(|(p, _)| std::cmp::Reverse(p.range.start()));
            let mut text = self.snapshot.text(file).to_string();
            for (place, new) in own {
                text.replace_range(std::ops::Range::<usize>::from(place.range), new);
            }
            if self.files.len() > 1 {
                out.push_str(&format!("//- {path}\n"));
            }
            out.push_str(&text);
        }
        out
    }
}
