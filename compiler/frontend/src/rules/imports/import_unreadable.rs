//! `import-unreadable`: nothing readable stands where the source leads (`imports` 5 R7).

use super::super::prelude::*;
use crate::db::ReadError;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "import-unreadable",
    level: Level::Error,
    summary: "the child's manifest cannot be read",
    fixable: Fixable::Sometimes,
};

/// The source, the path it means, and what its shape or a similar folder suggest.
pub(crate) fn at(
    span: Span,
    source: &str,
    path: &str,
    error: &ReadError,
    shape: Option<&str>,
    near: Option<String>,
) -> Diagnostic {
    let label = match error {
        ReadError::Missing => "no story here",
        ReadError::NotAFile(_) => "no regular file",
        ReadError::TooLarge(_) => "too large",
        ReadError::Other(_) => "unreadable",
    };
    let mut finding = RULE
        .at(span, label)
        .message(format!("the story {} cannot be read", code(source)))
        .note(format!("it would be {}", code(path)));
    if let ReadError::Other(words) = error {
        finding = finding.note(words.clone());
    }
    match shape {
        Some(shape) => finding.note(shape.to_owned()),
        None => super::offer_source(finding, span, near),
    }
}
