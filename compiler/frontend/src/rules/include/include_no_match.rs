//! `include-no-match`: a pattern without any match: the reference says nothing (`language` 1.5).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "include-no-match",
    level: Level::Warning,
    summary: "an include pattern that matches no file",
    fixable: Fixable::Sometimes,
};

/// The pattern that matches nothing, and one like it that does.
pub(crate) fn at(span: Span, inside: Span, pattern: &str, near: Option<&str>) -> Diagnostic {
    let finding = RULE
        .at(span, "no file fits this")
        .message(format!("the include pattern {} matches nothing", code(pattern)));
    if let Some(near) = near {
        let title = format!("change it to {}", code(near));
        finding.fix(Fix::replace(inside, near).title(title.clone())).help(title)
    } else if pattern.contains("**") {
        finding.help("there is no `**`: each segment matches exactly one folder level")
    } else {
        finding.help("patterns are relative to the folder of the manifest")
    }
}

/// Names that are missing because files are missing: what is said about them follows from the pattern.
const FOLLOW_UPS: &[&str] = &[
    "agent-undeclared",
    "choice-intent-undeclared",
    "default-intent-undeclared",
    "import-interface-unused",
    "initial-unknown",
    "intent-undeclared",
    "on-error-unknown",
    "operation-undeclared",
    "phases-template-unknown",
    "relevant-world-undeclared",
    "root-unknown",
    "slot-undeclared",
    "target-unknown",
    "undeclared-world-key",
    "unreachable-state",
];

/// One cause, one finding: where it is plain which files a pattern means, it speaks for the names that would stand in them,
/// as badly as they would have.
pub(crate) fn explain(findings: &mut Vec<Diagnostic>) {
    let Some(cause) = findings.iter().position(|f| f.rule == RULE.id && !f.fixes.is_empty()) else {
        return;
    };
    let follows = |f: &Diagnostic| FOLLOW_UPS.contains(&f.rule);
    let worst = findings.iter().filter(|f| follows(f)).map(|f| f.severity).min();
    let count = findings.iter().filter(|f| follows(f)).count();
    if let (Some(worst), Some(cause)) = (worst, findings.get_mut(cause)) {
        cause.severity = cause.severity.min(worst);
        cause.notes.push(match count {
            1 => "one finding about a name that may stand in its files is left out".to_owned(),
            n => format!("{n} findings about names that may stand in its files are left out"),
        });
    }
    findings.retain(|f| !follows(f));
}
