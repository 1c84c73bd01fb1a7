//! `starlark-input-missing`: a required input of the sidecar that the call does not pass (`starlark` 2).

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "starlark-input-missing",
    level: Level::Warning,
    summary: "a required input that the call does not pass",
    fixable: Fixable::Never,
};

use super::sidecar::Sidecar;

/// Required inputs that are absent or null: one finding with all of them.
pub(super) fn check(
    cx: &StoryCx<'_>,
    call: &super::Call<'_>,
    sidecar: &Sidecar,
    inputs: &[AnyEntry],
) -> Option<Diagnostic> {
    let passed = |name: &str| {
        inputs
            .iter()
            .any(|e| e.name.as_str() == name && e.value.kind != AnyKind::Null)
    };
    let missing: Vec<_> = sidecar
        .inputs
        .iter()
        .filter(|d| d.required && !passed(&d.name))
        .collect();
    let first = missing.first()?;
    let at = call
        .entry("inputs")
        .map_or_else(|| cx.inside(call.verb), |e| e.name.span);
    let names: Vec<&str> = missing.iter().map(|d| d.name.as_str()).collect();
    let word = if names.len() == 1 {
        "the required input"
    } else {
        "the required inputs"
    };
    let mut finding = RULE
        .at(at, "not passed here")
        .message(format!(
            "the call does not pass {word} {}",
            super::super::words::list(&names)
        ))
        .label(first.span, "declared as required");
    for other in missing.iter().skip(1) {
        finding = finding.label(other.span, "this one too");
    }
    Some(finding.help("without it the call fails before the script runs"))
}
