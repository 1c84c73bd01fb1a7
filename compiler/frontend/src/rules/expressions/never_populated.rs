//! `never-populated`: a root that nothing fills where the text is evaluated (`expressions` 7).

use indexmap::IndexMap;
use kitsoki_expr::{RefKind, Reference};
use kitsoki_syntax::Span;
use smol_str::SmolStr;

use super::super::prelude::*;
use super::super::walk::{Role, Scene};
use super::gather::{Item, Parsed};

pub(crate) const RULE: Rule = Rule {
    id: "never-populated",
    level: Level::Warning,
    summary: "a root that is always empty here",
    fixable: Fixable::Never,
};

/// Uses that are shown as labels.
const SHOWN: usize = 8;

/// Uses of empty roots, by chain.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Empty {
    uses: IndexMap<SmolStr, (&'static str, Vec<Span>)>,
}

impl Empty {
    /// Adds what was found elsewhere.
    pub(super) fn extend(&mut self, other: &Self) {
        for (chain, (why, places)) in &other.uses {
            for place in places {
                self.put(chain.clone(), why, *place);
            }
        }
    }

    fn put(&mut self, chain: SmolStr, why: &'static str, place: Span) {
        let (_, places) = self.uses.entry(chain).or_insert_with(|| (why, Vec::new()));
        if !places.contains(&place) {
            places.push(place);
        }
    }

    /// Collects the empty roots of one text.
    pub(super) fn add(&mut self, cx: &StoryCx<'_>, item: &Item<'_>) {
        if !item.is_written() {
            return;
        }
        for reference in &item.references {
            let Some(why) = empty(item, reference) else { continue };
            let place = item.place(cx, reference.range);
            self.put(SmolStr::new(item.slice(reference.range)), why, place);
        }
    }

    /// One finding per chain.
    pub(super) fn report(self, out: &mut Vec<Diagnostic>) {
        for (chain, (why, places)) in self.uses {
            let Some((first, others)) = places.split_first() else {
                continue;
            };
            let root = chain.split(['.', '[', '?']).next().unwrap_or(&chain);
            let mut finding = RULE
                .at(*first, "always empty here")
                .message(format!("{} is never filled: {why}", code(root)));
            for other in others.iter().take(SHOWN) {
                finding = finding.label(*other, "here as well");
            }
            if others.len() > SHOWN {
                finding = finding.note(format!("{} uses in all", places.len()));
            }
            out.push(finding);
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
