//! `bare-identifier`: a bare name in an expression compiles and has no value (`expressions` 4.2).

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "bare-identifier",
    level: Level::Warning,
    summary: "a bare name, which has no value",
    fixable: Fixable::Sometimes,
};

use kitsoki_expr::{RefKind, names};

use super::super::words::did_you_mean;
use super::gather::{Item, Parsed};

/// Checks the names of an expression or of a value template.
pub(super) fn check(cx: &StoryCx<'_>, item: &Item<'_>, out: &mut Vec<Diagnostic>) {
    if !matches!(item.parsed, Parsed::Expr(_) | Parsed::T(_)) || !item.is_written() {
        return;
    }
    for reference in &item.references {
        let name = reference.root.as_str();
        let bare = reference.kind == RefKind::Read && reference.path.is_empty() && !reference.local;
        let known = |list: &[names::Named]| list.iter().any(|n| n.name == name);
        if !bare || known(names::ROOTS) || known(names::HELPERS) || known(names::FUNCTIONS) || name == "state" {
            continue;
        }
        let place = item.place(cx, reference.root_range);
        let finding = RULE.at(place, "has no value").message(format!(
            "the bare name {} has no value: evaluating it fails",
            code(&cx.spelling(item.text(), reference.root_range))
        ));
        let keys = cx.story.manifest.world.value().into_iter().flat_map(|w| w.names());
        out.push(if cx.world_var(name).is_some() {
            offer(cx, item, reference.root_range, finding, &format!("world.{name}"))
        } else if matches!(name, "yes" | "True" | "on") {
            offer(cx, item, reference.root_range, finding, "true")
        } else if matches!(name, "no" | "False" | "off") {
            offer(cx, item, reference.root_range, finding, "false")
        } else if matches!(name, "null" | "None" | "none") {
            offer(cx, item, reference.root_range, finding, "nil")
        } else if let Some(near) = did_you_mean(name, keys) {
            offer(cx, item, reference.root_range, finding, &format!("world.{near}"))
        } else {
            finding.help("a world key is read with `world.`, a slot with `slots.`; a text stands in quotes")
        });
    }
}

fn offer(
    cx: &StoryCx<'_>,
    item: &Item<'_>,
    range: kitsoki_syntax::TextRange,
    finding: Diagnostic,
    new: &str,
) -> Diagnostic {
    let finding = finding.help(format!("{} is probably meant", code(new)));
    match super::faults::replacement(cx, item, range, new).filter(|_| item.text().edits.is_none()) {
        Some(fix) => finding.fix(fix),
        None => finding,
    }
}
