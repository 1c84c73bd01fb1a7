//! `starlark-output-unknown`: a bind reads an output that the sidecar does not declare, so it gets nothing (`starlark` 2).

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "starlark-output-unknown",
    level: Level::Warning,
    summary: "a bind of an output that the sidecar does not declare",
    fixable: Fixable::Sometimes,
};

use super::super::words::did_you_mean;
use super::sidecar::{RESERVED, Sidecar};

/// Checks the first step of every bind path. Templated binds see the whole result and are not looked at.
pub(super) fn check(cx: &StoryCx<'_>, effect: &Effect, sidecar: &Sidecar, out: &mut Vec<Diagnostic>) {
    if sidecar.outputs.is_empty() {
        return;
    }
    // A call in the background answers with the number of its job.
    let background = effect.background.as_ref().is_some_and(|b| b.value.value);
    for entry in effect.bind.value().into_iter().flat_map(|b| b.entries.iter()) {
        let path = entry.value.as_str();
        let first = path.split(['.', '[']).next().unwrap_or_default();
        if (background && first == "job_id")
            || entry.value.is_templated()
            || first.is_empty()
            || sidecar.output(first).is_some()
            || RESERVED.contains(&first)
        {
            continue;
        }
        let len = u32::try_from(first.len()).unwrap_or(u32::MAX);
        let place = cx.place(&entry.value, kitsoki_syntax::TextRange::new(0.into(), len.into()));
        let mut finding = RULE
            .at(place, "the script returns nothing of this name")
            .message(format!("the sidecar declares no output {}", code(first)));
        let near = did_you_mean(first, sidecar.outputs.iter().map(|d| d.name.as_str()));
        match near.and_then(|n| sidecar.output(n)).or(sidecar.outputs.first()) {
            Some(declared) if near.is_some() => {
                let near = declared.name.as_str();
                finding = finding
                    .label(declared.span, "an output with a similar name")
                    .fix(Fix::replace(place, near).title(format!("change it to {}", code(near))));
            }
            Some(declared) => finding = finding.label(declared.span, "the declared outputs"),
            None => {}
        }
        out.push(finding);
    }
}
