//! `never-populated`: a root that nothing fills where the text is evaluated (`expressions` 7).

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "never-populated",
    level: Level::Warning,
    summary: "a root that is always empty here",
    fixable: Fixable::Never,
};

use kitsoki_expr::{RefKind, Reference};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use super::super::walk::{Role, Scene};
use super::gather::{Item, Parsed};

/// Checks the roots of one text.
pub(super) fn check(cx: &StoryCx<'_>, item: &Item<'_>, out: &mut Vec<Diagnostic>) {
    if !item.is_written() {
        return;
    }
    let mut seen: FxHashSet<SmolStr> = FxHashSet::default();
    for reference in &item.references {
        let Some(why) = empty(item, reference) else { continue };
        let chain = item.slice(reference.range);
        if seen.insert(SmolStr::new(chain)) {
            out.push(
                RULE.at(item.place(cx, reference.range), "always empty here")
                    .message(format!("{} is never filled: {why}", code(reference.root.as_str()))),
            );
        }
    }
}

fn empty(item: &Item<'_>, reference: &Reference) -> Option<&'static str> {
    if reference.local || reference.kind != RefKind::Read {
        return None;
    }
    let view = matches!(item.parsed, Parsed::P(_));
    let in_view = item.site.scene == Scene::View;
    match reference.root.as_str() {
        "run" => Some("the id of a session is `world.session_id`, turns are not counted here"),
        "event" => Some("nothing ever puts an event there"),
        "proposal" | "inbox" | "workspace" if !view => {
            Some("it passes the check and has no value when it is evaluated")
        }
        "args" if item.room.is_some() => Some("only prompts have arguments"),
        "state" if !view => Some("only views know the state that is rendered"),
        "result" if !view && item.site.role != Role::Bind => Some("only templated binds see a result"),
        "menu" | "prerequisites" if !view && !in_view => Some("only views have it"),
        _ => None,
    }
}
