//! `include-unreadable`: a folder, a pipe or a file without permission (`language` 4.1 I2).

use super::super::prelude::*;
use crate::db::{PathKind, ReadError};
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "include-unreadable",
    level: Level::Error,
    summary: "an include pattern matches something that cannot be read",
    fixable: Fixable::Never,
};

/// What matches cannot be read.
pub(crate) fn at(span: Span, path: &str, error: &ReadError) -> Diagnostic {
    let (what, why) = match error {
        ReadError::NotAFile(PathKind::Directory) => ("a folder", "it is a folder".to_owned()),
        ReadError::NotAFile(_) => (
            "no regular file",
            "it is a pipe or a device, which is never waited for".to_owned(),
        ),
        ReadError::TooLarge(bytes) => ("too large", format!("it has {bytes} bytes")),
        ReadError::Missing => ("not there", "it is not there any more".to_owned()),
        ReadError::Other(words) => ("not readable", words.clone()),
    };
    let shown = if path.is_empty() {
        "the story's own folder".to_owned()
    } else {
        code(path)
    };
    let finding = RULE
        .at(span, format!("this matches what is {what}"))
        .message(format!("{shown} cannot be included"))
        .note(why);
    match error {
        ReadError::NotAFile(PathKind::Directory) => finding.help("name the files in it, as in `rooms/*.yaml`"),
        _ => finding,
    }
}
