//! `agent-prompt-unreadable`: the file of `system_prompt_path` is missing or no file (`language` 4.1 A7).

use super::super::prelude::*;
use crate::db::{PathKind, ReadError};
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "agent-prompt-unreadable",
    level: Level::Error,
    summary: "a prompt file that cannot be read",
    fixable: Fixable::Never,
};

/// The path as written.
pub(crate) fn at(span: Span, path: &str, error: &ReadError) -> Diagnostic {
    let label = match error {
        ReadError::Missing => "no such file",
        ReadError::NotAFile(PathKind::Directory) => "this is a folder",
        ReadError::NotAFile(PathKind::File | PathKind::Other) => "this is no regular file",
        ReadError::TooLarge(_) => "this file is too large",
        ReadError::Other(_) => "this file cannot be read",
    };
    RULE.at(span, label)
        .message(format!("the prompt file {} cannot be read", code(path)))
        .help("the path is relative to the folder of the file that declares the agent")
}

/// The file holds something else than text.
pub(crate) fn not_text(span: Span, path: &str) -> Diagnostic {
    RULE.at(span, "this file is not UTF-8 text")
        .message(format!("the prompt file {} cannot be read", code(path)))
}
