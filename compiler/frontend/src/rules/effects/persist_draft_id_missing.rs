//! `persist-draft-id-missing`: a draft that is saved without an id (`language` D45).

use super::super::prelude::*;
use super::Site;

pub(crate) const RULE: Rule = Rule {
    id: "persist-draft-id-missing",
    level: Level::Error,
    summary: "a draft without an id",
    fixable: Fixable::Never,
};

pub(super) fn check(site: &Site<'_>, out: &mut Vec<Diagnostic>) {
    let Some(draft) = &site.effect.persist_draft else {
        return;
    };
    match &draft.id {
        Some(id) if !id.is_blank() => {}
        Some(id) => out.push(at(id.span)),
        None => out.push(at(draft.key)),
    }
}

fn at(span: kitsoki_syntax::Span) -> Diagnostic {
    RULE.at(span, "under which id?")
        .message("a saved draft needs an `id`")
        .help("write `persist_draft: { id: name }`")
}
