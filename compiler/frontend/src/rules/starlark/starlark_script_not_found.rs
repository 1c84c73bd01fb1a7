//! `starlark-script-not-found`: a script that does not exist or cannot be read (`language` D85).

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "starlark-script-not-found",
    level: Level::Error,
    summary: "a script that does not exist",
    fixable: Fixable::Sometimes,
};

use camino::{Utf8Path, Utf8PathBuf};

use super::super::paths::{Leaf, similar_end};
use crate::db::Contents;

/// A finding when the file at `path` cannot be read.
pub(super) fn check(cx: &StoryCx<'_>, script: &Text, path: &Utf8Path) -> Option<Diagnostic> {
    let Contents::Failed(error) = cx.db.file(path).contents(cx.db) else {
        return None;
    };
    let place = cx.inside(script);
    let written = cx.spelling_of(script);
    let label = match error {
        crate::db::ReadError::NotAFile(_) => "not a file",
        crate::db::ReadError::Missing => "no such file",
        _ => "it cannot be read",
    };
    let finding = RULE
        .at(place, label)
        .message(format!("the script {} does not exist", code(&written)));
    Some(if let Some(rest) = doubled(cx, script) {
        finding
            .help("the path begins in the folder of the story, not in that of the repository")
            .fix(Fix::replace(place, rest.as_str()).title(format!("change it to {}", code(rest.as_str()))))
    } else if let Some(other) = meant(cx, path, &written) {
        finding
            .help(format!("there is {}", code(&other)))
            .fix(Fix::replace(place, other.as_str()).title(format!("change it to {}", code(&other))))
    } else {
        finding
    })
}

/// The rest of a path that names the story's own folder once more.
fn doubled(cx: &StoryCx<'_>, script: &Text) -> Option<Utf8PathBuf> {
    let written = cx.spelling_of(script);
    let path = Utf8Path::new(written.trim());
    let base = cx.dir_of(script.span);
    let mut rest = path.components();
    while rest.next().is_some() {
        let candidate = rest.as_path();
        if candidate.as_str().is_empty() {
            return None;
        }
        if cx.db.file(&base.join(candidate)).contents(cx.db).text().is_some() {
            return Some(candidate.to_owned());
        }
    }
    None
}

/// A script with a similar path, as the author would write it.
fn meant(cx: &StoryCx<'_>, path: &Utf8Path, written: &str) -> Option<String> {
    similar_end(cx.db, path, written.trim(), Leaf::File).filter(|other| other.ends_with(".star"))
}
