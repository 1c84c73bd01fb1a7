//! JUnit XML: one suite per file, one failed case per finding, so that any CI shows them.

use std::fmt::Write as _;

use super::{counts, xml};
use crate::model::Diagnostic;
use crate::rule::Level;
use crate::sources::{Sources, place};

/// The report. A story without findings is one passed case.
#[must_use]
pub fn junit(findings: &[Diagnostic], sources: &dyn Sources) -> String {
    let counts = counts(findings);
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let tests = findings.len().max(1);
    let failures = counts.errors + counts.warnings;
    let _ = writeln!(
        out,
        "<testsuites name=\"kitsoki check\" tests=\"{tests}\" failures=\"{failures}\">"
    );
    let _ = writeln!(
        out,
        "  <testsuite name=\"kitsoki check\" tests=\"{tests}\" failures=\"{failures}\">"
    );
    if findings.is_empty() {
        let _ = writeln!(out, "    <testcase classname=\"kitsoki\" name=\"check\"/>");
    }
    for finding in findings {
        let at = finding.primary.as_ref().map(|p| place(sources, p.span));
        let (path, line) = at.as_ref().map_or(("", 0), |a| (a.path.as_str(), a.line));
        let _ = writeln!(
            out,
            "    <testcase classname=\"{}\" name=\"{} at {}:{line}\" file=\"{}\" line=\"{line}\">",
            xml(path),
            xml(finding.rule),
            xml(path),
            xml(path)
        );
        let body = [finding.message.as_str()]
            .into_iter()
            .chain(finding.helps.iter().map(String::as_str));
        let body: Vec<&str> = body.collect();
        let text = xml(&body.join("\n"));
        if finding.severity == Level::Hint {
            let _ = writeln!(out, "      <system-out>{text}</system-out>");
        } else {
            let _ = writeln!(
                out,
                "      <failure type=\"{}\" message=\"{}\">{text}</failure>",
                finding.severity.as_str(),
                xml(&finding.message)
            );
        }
        out.push_str("    </testcase>\n");
    }
    out.push_str("  </testsuite>\n</testsuites>\n");
    out
}
