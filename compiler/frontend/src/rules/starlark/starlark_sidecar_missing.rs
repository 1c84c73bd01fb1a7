//! `starlark-sidecar-missing`: a script without the file that declares its inputs and outputs (`language` D86).

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "starlark-sidecar-missing",
    level: Level::Error,
    summary: "a script without its sidecar",
    fixable: Fixable::Never,
};

use camino::{Utf8Path, Utf8PathBuf};

use crate::db::{Contents, SourceFile};

/// The sidecar beside the script at `path`; a finding when it cannot be read.
pub(super) fn sidecar(cx: &StoryCx<'_>, script: &Text, path: &Utf8Path) -> Result<SourceFile, Box<Diagnostic>> {
    let name = format!("{}.yaml", path.file_name().unwrap_or_default());
    let file = cx.db.file(&Utf8PathBuf::from(format!("{path}.yaml")));
    let Contents::Failed(_) = file.contents(cx.db) else {
        return Ok(file);
    };
    let stem = path.file_stem().unwrap_or_default();
    let other = [
        format!("{stem}.yaml"),
        format!("{stem}.yml"),
        format!("{stem}.star.yml"),
    ]
    .into_iter()
    .find(|other| cx.db.file(&path.with_file_name(other)).contents(cx.db).text().is_some());
    let finding = RULE
        .at(cx.inside(script), "no sidecar stands beside this script")
        .message(format!(
            "the script needs {}, which declares its inputs and outputs",
            code(&name)
        ));
    Err(Box::new(match other {
        Some(other) => finding.help(format!("rename {} to {}", code(&other), code(&name))),
        None => finding.help("a script without inputs and outputs has an empty file"),
    }))
}
