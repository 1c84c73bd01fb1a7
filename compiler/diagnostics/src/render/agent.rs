//! For coding agents: one short block per finding with the exact place, the line, what to do and the edit to make, then
//! what to run next. No drawing, no colours, nothing to parse around.

use std::fmt::Write as _;

use super::{entrance, summary};
use crate::model::Diagnostic;
use crate::sanitize::{clamp, one_line};
use crate::sources::{Sources, place};

/// Findings in full before the rest is only counted.
const MAX: usize = 50;
/// Characters of a source line that are shown.
const LINE: usize = 200;

/// Renders findings for an agent. `again` is the command that checks again.
#[must_use]
pub fn agent(findings: &[Diagnostic], sources: &dyn Sources, files: usize, again: &str) -> String {
    let mut out = String::new();
    for finding in findings.iter().take(MAX) {
        let _ = write!(out, "{} {}", finding.severity.as_str(), finding.rule);
        if let Some(primary) = &finding.primary {
            let at = place(sources, primary.span);
            let _ = write!(
                out,
                " {}:{}:{}-{}",
                one_line(&at.path),
                at.line,
                at.column,
                at.end_column
            );
        }
        let _ = writeln!(out, "\n  {}", one_line(&finding.message));
        if let Some(primary) = &finding.primary {
            if sources.quotable(primary.span.file) {
                let index = sources.line_index(primary.span.file);
                let text = sources.text(primary.span.file);
                let range = clamp(text, primary.span.range);
                let line = index.line_range(index.line_col(range.start()).line);
                let line = text.get(std::ops::Range::<usize>::from(line)).unwrap_or_default();
                let line: String = line.trim_end().chars().take(LINE).collect();
                let _ = writeln!(out, "  line: {}", one_line(&line));
            }
            if !primary.message.is_empty() {
                let _ = writeln!(out, "  here: {}", one_line(&primary.message));
            }
        }
        for label in finding.labels.iter().take(3) {
            let at = place(sources, label.span);
            let _ = writeln!(
                out,
                "  also: {}:{}:{} {}",
                one_line(&at.path),
                at.line,
                at.column,
                one_line(&label.message)
            );
        }
        for text in finding.helps.iter().chain(&finding.notes) {
            let _ = writeln!(out, "  note: {}", one_line(text));
        }
        for way in &finding.entrances {
            let _ = writeln!(out, "  way: {}", entrance(way, sources));
        }
        for fix in finding.fixes.iter().take(3) {
            let _ = writeln!(out, "  fix ({}): {}", fix.applicability.as_str(), one_line(&fix.title));
            for edit in &fix.edits {
                let at = place(sources, edit.span);
                let _ = writeln!(
                    out,
                    "    {}:{}:{}-{}:{} -> {}",
                    one_line(&at.path),
                    at.line,
                    at.column,
                    at.end_line,
                    at.end_column,
                    one_line(&serde_json::Value::String(edit.text.clone()).to_string())
                );
            }
        }
    }
    if findings.len() > MAX {
        let _ = writeln!(out, "… and {} more", findings.len() - MAX);
    }
    let _ = writeln!(out, "{}", summary(findings, files));
    let safe = findings.iter().filter(|f| f.safe_fix().is_some()).count();
    if safe > 0 {
        let _ = writeln!(out, "next: {again} --fix   (applies {safe} safe fixes)");
    } else if !findings.is_empty() {
        let _ = writeln!(out, "next: mend the first finding, then {again}");
    }
    out
}
