//! A code quality report.

use serde_json::json;

use crate::baseline::fingerprints;
use crate::model::Diagnostic;
use crate::rule::Level;
use crate::sources::{Sources, place};

/// One JSON list with a stable fingerprint per finding.
#[must_use]
pub fn gitlab(findings: &[Diagnostic], sources: &dyn Sources) -> String {
    let prints = fingerprints(findings, sources);
    let list: Vec<_> = findings
        .iter()
        .zip(prints)
        .map(|(finding, print)| {
            let severity = match finding.severity {
                Level::Error => "major",
                Level::Warning => "minor",
                Level::Hint | Level::Off => "info",
            };
            let at = finding.primary.as_ref().map(|p| place(sources, p.span));
            json!({
                "description": finding.message,
                "check_name": finding.rule,
                "fingerprint": print,
                "severity": severity,
                "location": {
                    "path": at.as_ref().map_or("", |a| a.path.as_str()),
                    "lines": { "begin": at.as_ref().map_or(1, |a| a.line), "end": at.as_ref().map_or(1, |a| a.end_line) },
                },
            })
        })
        .collect();
    let mut text = serde_json::to_string_pretty(&list).unwrap_or_default();
    text.push('\n');
    text
}
