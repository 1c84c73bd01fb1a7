//! Workflow commands: findings as annotations of a pull request.

use std::fmt::Write as _;

use crate::model::Diagnostic;
use crate::rule::Level;
use crate::sanitize::{one_line, visible};
use crate::sources::{Sources, place};

/// One workflow command per finding. Nothing of a story can start a command of its own: every text is escaped.
#[must_use]
pub fn github(findings: &[Diagnostic], sources: &dyn Sources) -> String {
    let mut out = String::new();
    for finding in findings {
        let command = match finding.severity {
            Level::Error => "error",
            Level::Warning => "warning",
            Level::Hint | Level::Off => "notice",
        };
        let _ = write!(out, "::{command} title={}", property(finding.rule));
        if let Some(primary) = &finding.primary {
            let at = place(sources, primary.span);
            let _ = write!(out, ",file={},line={},col={}", property(&at.path), at.line, at.column);
            let _ = write!(out, ",endLine={},endColumn={}", at.end_line, at.end_column);
        }
        let mut message = finding.message.clone();
        for help in &finding.helps {
            message.push_str("\nhelp: ");
            message.push_str(help);
        }
        let _ = writeln!(out, "::{}", data(&message));
    }
    out
}

fn data(text: &str) -> String {
    visible(text)
        .replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(&one_line(text)).replace(':', "%3A").replace(',', "%2C")
}
