//! One module per form of findings. A renderer cannot panic on any span: places are clamped and texts made visible before.

mod agent;
mod concise;
mod full;
mod github;
mod gitlab;
mod json;
mod junit;
mod sarif;

pub use agent::agent;
pub use concise::concise;
pub use full::{FullOptions, full};
pub use github::github;
pub use gitlab::gitlab;
pub use json::{json, jsonl, to_json};
pub use junit::junit;
pub use sarif::sarif;

use crate::model::{Diagnostic, Entrance};
use crate::rule::Level;
use crate::sanitize::one_line;
use crate::sources::{Sources, place};

/// How many findings of each level there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Errors.
    pub errors: usize,
    /// Warnings.
    pub warnings: usize,
    /// Hints.
    pub hints: usize,
}

/// Counts findings by level.
#[must_use]
pub fn counts(findings: &[Diagnostic]) -> Counts {
    let count = |level| findings.iter().filter(|f| f.severity == level).count();
    Counts {
        errors: count(Level::Error),
        warnings: count(Level::Warning),
        hints: count(Level::Hint),
    }
}

/// The last line for people: `2 errors, 1 warning in 14 files`.
#[must_use]
pub fn summary(findings: &[Diagnostic], files: usize) -> String {
    let counts = counts(findings);
    let noun = |n: usize, word: &str| {
        if n == 1 {
            format!("1 {word}")
        } else {
            format!("{n} {word}s")
        }
    };
    let mut parts = Vec::new();
    for (n, word) in [
        (counts.errors, "error"),
        (counts.warnings, "warning"),
        (counts.hints, "hint"),
    ] {
        if n > 0 {
            parts.push(noun(n, word));
        }
    }
    let what = if parts.is_empty() {
        "nothing is wrong".to_owned()
    } else {
        parts.join(", ")
    };
    format!("{what} in {}", noun(files, "file"))
}

/// How a file comes in, in words: `included from app.yaml:9`.
fn entrance(entrance: &Entrance, sources: &dyn Sources) -> String {
    let at = place(sources, entrance.span);
    format!("{} from {}:{}", entrance.way.as_str(), one_line(&at.path), at.line)
}

/// `&`, `<`, `>` and quotes for XML; characters that XML does not have are made visible.
fn xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in crate::sanitize::visible(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests;
