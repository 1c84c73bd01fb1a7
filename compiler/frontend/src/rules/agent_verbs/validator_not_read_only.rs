//! `validator-not-read-only`: a validator command that may change files (`language` W5).

use camino::Utf8Path;
use kitsoki_syntax::text_range;

use super::super::calls::Call;
use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "validator-not-read-only",
    level: Level::Warning,
    summary: "a validator command that is not known to only read",
    fixable: Fixable::Never,
};

/// Programs that only read.
const READ_ONLY: [&str; 23] = [
    "cat", "grep", "rg", "ripgrep", "git", "jq", "yq", "find", "ls", "head", "tail", "wc", "diff", "awk", "sed",
    "sort", "echo", "true", "false", "stat", "file", "which", "type",
];

/// Checks the `validator.post_cmd` of one call. The base name of the first word counts.
pub(super) fn check(cx: &StoryCx<'_>, call: &Call<'_>, out: &mut Vec<Diagnostic>) {
    let command = call
        .arg("validator")
        .and_then(|v| v.get("post_cmd"))
        .and_then(Any::as_text);
    let Some(text) = command.filter(|c| !c.is_blank() && !c.is_templated()) else {
        return;
    };
    let Some(word) = text.as_str().split_whitespace().next() else {
        return;
    };
    let name = Utf8Path::new(word).file_name().unwrap_or(word);
    if READ_ONLY.contains(&name) {
        return;
    }
    let start = text.as_str().find(word).unwrap_or(0);
    let place = cx.place(text, text_range(start, start + word.len()));
    out.push(
        RULE.at(place, "may change files")
            .message(format!("a validator only reads, and {} is not known to", code(name)))
            .help("the answer is thrown away when this program writes: check with a program that only reads"),
    );
}
