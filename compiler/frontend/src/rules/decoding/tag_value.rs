//! `tag-value`: a value that begins with `!` is a tag and no text (`language` 2.3).
//!
//! A tag alone on its line takes the next node of the file as its value, whatever its indentation; at the very end of a
//! file the value is null, so that a guard always holds.

use kitsoki_syntax::Span;

use super::super::prelude::*;
use super::wrong_kind;

pub(crate) const RULE: Rule = Rule {
    id: "tag-value",
    level: Level::Warning,
    summary: "a value that begins with `!` is a tag",
    fixable: Fixable::Always,
};

/// The tag at `span`; `next` is the node that the reference takes for its value. `free`: any value is accepted there.
pub(crate) fn at(span: Span, tag: &str, next: Option<Span>, free: bool) -> Diagnostic {
    let quoted = Fix::replace(span, format!("\"{tag}\"")).title("put it in quotes");
    match next {
        Some(next) if !free => wrong_kind::RULE
            .at(span, "a tag, not a text")
            .message(format!("{} is a tag: it takes what follows as its value", code(tag)))
            .label(next, "this becomes the value")
            .help("a text that begins with `!` needs quotes")
            .fix(quoted),
        next => {
            let finding = RULE
                .at(span, "a tag, not a text")
                .message(format!("{} is a tag and no text", code(tag)))
                .help("a text that begins with `!` needs quotes")
                .fix(quoted);
            match next {
                Some(next) => finding.label(next, "this becomes the value"),
                None => finding.note("at the end of a file its value is null: a guard that always holds"),
            }
        }
    }
}
