//! `import-hosts-mode`: `hosts` is `inherit` or `declared` (`imports` 9.1).

use super::super::prelude::*;
use super::super::words::did_you_mean;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "import-hosts-mode",
    level: Level::Error,
    summary: "an unknown `hosts` mode of an import",
    fixable: Fixable::Sometimes,
};

/// The word.
pub(crate) fn at(span: Span, word: &str) -> Diagnostic {
    let finding = RULE
        .at(span, "no mode")
        .message(format!("an import's `hosts` cannot be {}", code(word)));
    match did_you_mean(word, ["inherit", "declared"]) {
        Some(near) => finding
            .help(format!("change it to {}", code(near)))
            .fix(Fix::replace(span, near).title(format!("change it to {}", code(near)))),
        None => finding.help("it is `inherit` or `declared`"),
    }
}
