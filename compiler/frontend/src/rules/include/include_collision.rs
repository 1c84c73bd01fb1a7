//! `include-collision`: a name that is declared in two of the merged files, or in one file that is merged twice (`language` 1.5).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "include-collision",
    level: Level::Error,
    summary: "a name that two of the merged files declare",
    fixable: Fixable::Never,
};

/// `second` is declared again; `first` is the place of the other declaration.
pub(crate) fn at(second: &Text, first: Span, kind: &str) -> Diagnostic {
    RULE.at(second.span, "declared again")
        .message(format!("the {kind} {} is already declared", code(second.as_str())))
        .label(first, "declared first")
        .help("files are merged name by name: keep one of the two, or give one another name")
}

/// A pattern matches the manifest itself, or a file that an earlier pattern matched.
pub(crate) fn itself(pattern: Span, earlier: Span, name: &Text) -> Diagnostic {
    RULE.at(pattern, "this matches a file that is already part of the story")
        .message("a file is merged twice, and its names collide with themselves")
        .label(
            earlier,
            format!("here first; {} is one of its names", code(name.as_str())),
        )
        .help("write a pattern that leaves this file out, as in `rooms/*.yaml`")
}
