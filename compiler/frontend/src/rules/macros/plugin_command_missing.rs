//! `plugin-command-missing`: a `subprocess` plugin without a program to run (`language` 4.4, P5).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "plugin-command-missing",
    level: Level::Error,
    summary: "a subprocess plugin without a command",
    fixable: Fixable::Never,
};

/// `span` is the word `subprocess`, or the blank value.
pub(crate) fn at(span: Span) -> Diagnostic {
    RULE.at(span, "needs `command`")
        .message("a `subprocess` plugin has no command")
}
