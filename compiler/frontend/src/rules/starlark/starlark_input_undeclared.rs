//! `starlark-input-undeclared`: an input that the sidecar does not declare: it is passed on without any check (`starlark` 2).

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "starlark-input-undeclared",
    level: Level::Warning,
    summary: "an input that the sidecar does not declare",
    fixable: Fixable::Sometimes,
};

use super::super::words::did_you_mean;
use super::sidecar::Sidecar;

/// A finding for an input that a sidecar with inputs does not name.
pub(super) fn check(cx: &StoryCx<'_>, name: &Text, sidecar: &Sidecar) -> Option<Diagnostic> {
    if sidecar.inputs.is_empty() || sidecar.input(name.as_str()).is_some() {
        return None;
    }
    let place = cx.inside(name);
    let finding = RULE
        .at(place, "no declared input")
        .message(format!("the sidecar declares no input {}", code(name.as_str())));
    Some(
        match did_you_mean(name.as_str(), sidecar.inputs.iter().map(|d| d.name.as_str())) {
            Some(near) => {
                let near_span = sidecar.input(near).map(|d| d.span);
                let finding = finding.fix(Fix::replace(place, near).title(format!("change it to {}", code(near))));
                match near_span {
                    Some(span) => finding.label(span, "an input with a similar name"),
                    None => finding,
                }
            }
            None => finding.help("declare it in the sidecar: then its type is checked"),
        },
    )
}
