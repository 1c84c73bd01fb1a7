//! `sandbox-word-unknown`: a word that a sandbox key does not know (`language` D74).

use super::super::prelude::*;
use super::super::words::{did_you_mean, list};

pub(crate) const RULE: Rule = Rule {
    id: "sandbox-word-unknown",
    level: Level::Error,
    summary: "a word that the sandbox does not know",
    fixable: Fixable::Sometimes,
};

/// The words of a key.
fn words(key: &str) -> &'static [&'static str] {
    match key {
        "min_strength" => &["none", "supervised", "fs_confined", "os_confined", "vm_confined"],
        "repo" => &["none", "read_only"],
        "network" => &["inherit", "deny", "model_only", "allowlist"],
        "degrade" => &["fail", "warn"],
        _ => &["inherit"],
    }
}

/// Checks the value of `key`. Blank texts count as absent; other kinds are not looked at by the reference.
pub(super) fn check(value: &Any, key: &str, level: Level, out: &mut Vec<Diagnostic>) {
    let words = words(key);
    let (found, level) = match &value.kind {
        AnyKind::Null => return,
        AnyKind::Text(text) if text.is_blank() || words.contains(&text.as_str()) => return,
        // `auth_home` is read when the call starts and not before.
        AnyKind::Text(text) => (
            code(text.as_str()),
            if key == "auth_home" { Level::Warning } else { level },
        ),
        _ => (value.kind_word().to_owned(), Level::Warning),
    };
    let mut finding = RULE
        .at(value.span, format!("no word of {}", code(key)))
        .message(format!("{} cannot be {found}", code(key)))
        .level(level);
    if let Some(near) = value
        .as_str()
        .and_then(|word| did_you_mean(word, words.iter().copied()))
    {
        finding = finding.fix(Fix::replace(value.span, near).title(format!("change it to {}", code(near))));
    }
    out.push(finding.help(format!("it knows {}", list(words))));
}
