//! Rules about synonyms and semantic routing.
//!
//! Those about the free-form fallback (`fallback-*`) and meta modes (`meta-*`) speak while these are expanded: see `macros`.

mod bars;
mod synonym_template_invalid;
mod synonyms;

use kitsoki_diagnostics::{Diagnostic, Rule};

use super::StoryCx;
use crate::surface::Optional;

/// The rules of this group.
pub const RULES: &[&Rule] = &[
    &bars::ORDER,
    &bars::RANGE,
    &bars::ZERO_IGNORED,
    &synonym_template_invalid::RULE,
    &synonyms::BLANK,
    &synonyms::NOT_ENUM,
    &synonyms::SLOT_BLANK,
    &synonyms::UNKNOWN_VALUE,
];

/// Everything that this group has to say about a story.
pub fn check<'a>(cx: &'a StoryCx<'a>, out: &mut Vec<Diagnostic>) {
    let global = cx
        .story
        .manifest
        .intents
        .value()
        .into_iter()
        .flat_map(|i| i.entries.iter());
    let local = cx
        .rooms()
        .flat_map(|r| r.room().intents.iter().flat_map(|i| i.entries.iter()));
    for intent in global.chain(local) {
        synonyms::check(cx, &intent.value, out);
        synonym_template_invalid::check(cx, &intent.value, out);
    }
    bars::check(cx, out);
}
