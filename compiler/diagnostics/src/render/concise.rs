//! One line per finding: `path:line:column: error[rule] message`.

use std::fmt::Write as _;

use crate::model::Diagnostic;
use crate::sanitize::one_line;
use crate::sources::{Sources, place};

/// Renders findings, one line each.
#[must_use]
pub fn concise(findings: &[Diagnostic], sources: &dyn Sources) -> String {
    let mut out = String::new();
    for finding in findings {
        if let Some(primary) = &finding.primary {
            let at = place(sources, primary.span);
            let _ = write!(out, "{}:{}:{}: ", one_line(&at.path), at.line, at.column);
        }
        let _ = write!(
            out,
            "{}[{}] {}",
            finding.severity.as_str(),
            finding.rule,
            one_line(&finding.message)
        );
        if let Some(fix) = finding.best_fix() {
            let _ = write!(out, " ({})", one_line(&fix.title));
        } else if let Some(help) = finding.helps.first() {
            let _ = write!(out, " ({})", one_line(help));
        }
        out.push('\n');
    }
    out
}
