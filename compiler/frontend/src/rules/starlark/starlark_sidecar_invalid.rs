//! `starlark-sidecar-invalid`: a sidecar that is not YAML, has an unknown type or a reserved output (`language` D87).

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "starlark-sidecar-invalid",
    level: Level::Error,
    summary: "a sidecar that cannot be read",
    fixable: Fixable::Sometimes,
};

use super::super::words::list;
use super::sidecar::{Fault, TYPES};

/// A fault in a sidecar, with the call that needs it.
pub(super) fn at(cx: &StoryCx<'_>, script: &Text, fault: &Fault) -> Diagnostic {
    let mut finding = RULE
        .at(fault.span, fault.label.clone())
        .message(fault.message.clone())
        .label(cx.inside(script), "the script that it declares");
    if let Some(near) = fault.near {
        finding = finding.fix(Fix::replace(fault.span, near).title(format!("change it to {}", code(near))));
    }
    if fault.label == "no type" {
        finding = finding.help(format!("the types are {}", list(TYPES)));
    }
    finding
}
