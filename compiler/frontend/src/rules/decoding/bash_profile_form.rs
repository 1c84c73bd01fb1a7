//! `bash-profile-form`: `bash_profile` in none of its forms (`language` 2.7).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "bash-profile-form",
    level: Level::Error,
    summary: "a Bash profile in none of its three forms",
    fixable: Fixable::Never,
};

/// The profile at `span`.
pub(crate) fn at(span: Span) -> Diagnostic {
    RULE.at(span, "no such profile")
        .message("`bash_profile` has none of its three forms")
        .help("write `read-only`, `{ commands: [git, ls] }` or `{ sandboxed_write: folder }`")
}

/// `commands` at `span` is no list: the reference takes it for an empty one.
pub(crate) fn empty(span: Span) -> Diagnostic {
    RULE.at(span, "not a list")
        .level(Level::Warning)
        .message("`commands` is a list: anything else allows no command")
        .help("write `commands: [git, ls]`")
}

/// The entry of `commands` at `span` is no text: the reference drops it.
pub(crate) fn dropped(span: Span) -> Diagnostic {
    RULE.at(span, "dropped")
        .level(Level::Warning)
        .message("an entry of `commands` that is no text is dropped")
}
