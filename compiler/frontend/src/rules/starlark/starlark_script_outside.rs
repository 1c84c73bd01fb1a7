//! `starlark-script-outside`: a script whose path leaves the story's folders (`language` D84).

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "starlark-script-outside",
    level: Level::Error,
    summary: "a script outside of every folder of the story",
    fixable: Fixable::Never,
};

use camino::Utf8Path;

use crate::db::normalize;

/// A finding when `path` lies in no folder of the story. By text alone: links are not followed.
pub(super) fn check(cx: &StoryCx<'_>, script: &Text, path: &Utf8Path) -> Option<Diagnostic> {
    let path = normalize(path);
    let inside = path.starts_with(normalize(cx.base_dir()))
        || cx
            .story
            .manifests
            .iter()
            .filter_map(|m| m.parent())
            .any(|dir| path.starts_with(dir));
    (!inside).then(|| {
        RULE.at(cx.inside(script), "leads out of the story")
            .message("a script lies in the folder of its story")
            .help("move it below the story's folder, or import the story that has it")
    })
}
