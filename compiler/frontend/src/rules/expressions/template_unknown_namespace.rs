//! `template-unknown-namespace`: a view or prompt uses a root that does not exist there, which renders as nothing (`language` W4).

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "template-unknown-namespace",
    level: Level::Warning,
    summary: "a root of a view that renders as nothing",
    fixable: Fixable::Sometimes,
};

use kitsoki_expr::{RefKind, Reference, names};
use kitsoki_syntax::Span;
use rustc_hash::FxHashSet;

use super::super::words::did_you_mean;
use super::gather::{Item, Parsed};

/// Checks the roots of one view text.
pub(super) fn check(cx: &StoryCx<'_>, item: &Item<'_>, out: &mut Vec<Diagnostic>) {
    if !matches!(item.parsed, Parsed::P(_)) || !item.is_written() {
        return;
    }
    unknown(cx, &item.references, out, |r| {
        (item.place(cx, r.root_range), item.text().edits.is_none())
    });
}

/// The unknown roots of a list of names, each once; `place` gives the place of a root and whether it may be changed there.
pub(super) fn unknown(
    cx: &StoryCx<'_>,
    references: &[Reference],
    out: &mut Vec<Diagnostic>,
    place: impl Fn(&Reference) -> (Span, bool),
) {
    let mut seen: FxHashSet<&str> = FxHashSet::default();
    for reference in references {
        let name = reference.root.as_str();
        let lower = name.to_ascii_lowercase();
        let known = names::ROOTS_P.iter().chain(names::HELPERS).any(|n| n.name == name)
            || matches!(
                lower.as_str(),
                "forloop" | "loop" | "true" | "false" | "none" | "nil" | "null" | "block"
            )
            || name.starts_with(|c: char| c.is_ascii_digit());
        if known || reference.local || reference.kind != RefKind::Read || !seen.insert(name) {
            continue;
        }
        let (at, whole) = place(reference);
        let finding = RULE
            .at(at, "renders as nothing")
            .message(format!("{} is no root of views and prompts", code(name)));
        if cx.world_var(name).is_some() {
            let key = format!("world.{name}");
            let finding = finding.help(format!("{} is probably meant", code(&key)));
            out.push(if whole {
                let title = format!("change it to {}", code(&key));
                finding.fix(Fix::replace(at, key).title(title))
            } else {
                finding
            });
            continue;
        }
        out.push(match did_you_mean(name, names::ROOTS_P.iter().map(|n| n.name)) {
            Some(near) if whole => finding
                .help(format!("a root with a similar name is {}", code(near)))
                .fix(Fix::replace(at, near).title(format!("change it to {}", code(near)))),
            Some(near) => finding.help(format!("a root with a similar name is {}", code(near))),
            None => finding
                .help("world keys are read with `world.`, slots with `slots.`, arguments of prompts with `args.`"),
        });
    }
}
