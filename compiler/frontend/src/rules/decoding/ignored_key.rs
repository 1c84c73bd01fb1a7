//! `ignored-key`: an unknown key where the reference ignores it without a word (`language` 2.1).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "ignored-key",
    level: Level::Warning,
    summary: "a key that is read and then dropped",
    fixable: Fixable::Sometimes,
};

/// A key at `span` that `kind` does not have and that vanishes; `keys` are those it has.
pub(crate) fn at(span: Span, key: &str, kind: &str, keys: &[&str]) -> Diagnostic {
    let finding = RULE
        .at(span, "this key has no effect")
        .message(format!("{kind} has no key {}: it is ignored", code(key)));
    super::unknown_key::offer(finding, span, key, keys)
}

/// The first thing of a second document of a file.
pub(crate) fn later_document(span: Span) -> Diagnostic {
    RULE.at(span, "never looked at")
        .message("only the first document of a file counts: this one is ignored")
        .help("join the documents, or remove the `---` line")
}
