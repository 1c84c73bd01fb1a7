//! `workbench-plan-unreadable`: `plan: true` with a schema file that cannot be read (`macros` 3.5).

use kitsoki_syntax::Span;

use super::super::prelude::*;
use crate::db::{PathKind, ReadError};

pub(crate) const RULE: Rule = Rule {
    id: "workbench-plan-unreadable",
    level: Level::Error,
    summary: "`plan: true` and no readable acceptance schema",
    fixable: Fixable::Never,
};

/// `schema` names the file, `plan` asks for it.
pub(crate) fn at(schema: Span, plan: Span, error: &ReadError) -> Diagnostic {
    let why = match error {
        ReadError::Missing => "there is no such file",
        ReadError::NotAFile(PathKind::Directory) => "this is a folder",
        ReadError::NotAFile(_) => "this is no regular file",
        ReadError::TooLarge(_) => "this file is too large",
        ReadError::Other(_) => "this file cannot be read",
    };
    RULE.at(schema, why)
        .message("`plan: true` needs an acceptance schema that can be read")
        .label(plan, "asks for the schema of a plan")
}
