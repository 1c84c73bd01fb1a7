//! `phase-reference-unknown`: only one reference alone in its braces is replaced, and only when it exists (`macros` 2.4).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "phase-reference-unknown",
    level: Level::Warning,
    summary: "a placeholder that nothing replaces",
    fixable: Fixable::Sometimes,
};

/// The rule about rooms to which nothing leads.
const UNREACHABLE: &str = "unreachable-state";

/// A placeholder that nothing replaces stays in the text and looks like a template there. What is said of it as one is
/// explained by this rule, and so is a room to which nothing leads: the arc may be the one that was meant to.
pub(crate) fn explain(findings: &mut Vec<Diagnostic>) {
    let place = |f: &Diagnostic| f.primary.as_ref().map(|p| p.span);
    let left: Vec<Span> = findings
        .iter()
        .filter(|f| f.rule == RULE.id)
        .filter_map(place)
        .collect();
    if left.is_empty() {
        return;
    }
    findings.retain(|f| {
        let inside = |at: Span| {
            left.iter()
                .any(|l| l.file == at.file && l.range.contains_range(at.range))
        };
        f.rule == RULE.id || (f.rule != UNREACHABLE && !place(f).is_some_and(inside))
    });
}

/// The braces. `near` is the reference that was probably meant.
pub(crate) fn at(span: Span, text: &str, near: Option<String>) -> Diagnostic {
    let finding = RULE
        .at(span, "stays as it is")
        .message(format!("nothing replaces {}", code(text)));
    match near {
        Some(near) => {
            let title = format!("change it to {}", code(&near));
            finding.help(title.clone()).fix(Fix::replace(span, near).title(title))
        }
        None if text.contains("phase.") => finding.help("the arc must stand under `next` of the phase"),
        None => finding.help("write one parameter alone, as in `{{ tpl.name }}`"),
    }
}
