//! Which files a piece of work has changed, where the folder is under version control.

use std::collections::BTreeMap;
use std::path::Path;

use kitsoki_expr::sha256;

use crate::call::Call;
use crate::handlers::git::Git;
use crate::place;

/// The largest file whose content is compared, in bytes; of larger ones the size and time are.
const MAX_COMPARED: u64 = 8 << 20;

/// How much of a difference is kept, in bytes.
const MAX_DIFF: usize = 1 << 20;

/// The files that differ from the last commit, and what they are now.
pub(super) type Look = Option<BTreeMap<String, String>>;

/// What has changed.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Changed {
    pub(super) files: Vec<String>,
    pub(super) diff: String,
}

/// Looks at a folder; `None` outside of a repository.
pub(super) fn look(call: &Call<'_>, folder: &Path) -> Look {
    // Without a back end nothing will change.
    call.context.services.agents.as_ref()?.backend.as_ref()?;
    let git = Git::new(call, &folder.to_string_lossy());
    let ended = git
        .run(&["status", "--porcelain", "-z", "--untracked-files=all", "--no-renames"])
        .ok()?;
    if !ended.ok() {
        return None;
    }
    let top = git.line(&["rev-parse", "--show-toplevel"])?;
    let entries = ended.said.output.split('\0').filter_map(|e| e.get(3..));
    let now = |name: &str| {
        let path = Path::new(&top).join(name);
        match place::read(&path, MAX_COMPARED) {
            Ok(content) => sha256::hex(&content),
            Err(_) => path
                .metadata()
                .map(|m| format!("{} {:?}", m.len(), m.modified().ok()))
                .unwrap_or_default(),
        }
    };
    Some(entries.map(|name| (name.to_owned(), now(name))).collect())
}

/// What has changed since a look.
pub(super) fn since(call: &Call<'_>, folder: &Path, before: &Look) -> Changed {
    let (Some(before), Some(after)) = (before, look(call, folder)) else {
        return Changed::default();
    };
    let names = before.keys().chain(after.keys());
    let mut files: Vec<String> = names.filter(|n| before.get(*n) != after.get(*n)).cloned().collect();
    files.sort();
    files.dedup();
    let mut diff = String::new();
    if !files.is_empty() {
        let git = Git::new(call, &folder.to_string_lossy());
        let ended = git.run(&["diff", "HEAD", "--no-color", "--no-ext-diff"]);
        diff = ended.map(|e| e.said.output).unwrap_or_default();
        diff.truncate(diff.floor_char_boundary(MAX_DIFF));
    }
    Changed { files, diff }
}
