//! Rules about the story as a whole: metadata, root, world, slots, operations, decider, proposals, files.

pub(crate) mod agent_reference_unknown;
mod app;
pub(crate) mod decider;
mod hosts_empty;
mod interface_effect_unknown;
pub(crate) mod operations;
mod proposals;
pub(crate) mod root;
mod schema_file_missing;
mod slots;
mod world;

use kitsoki_diagnostics::{Diagnostic, Rule};
use kitsoki_syntax::Span;

use super::StoryCx;
use super::calls::Call;
use crate::pipeline::parse;
use crate::surface::Manifest;

/// The rules of this group.
pub const RULES: &[&Rule] = &[
    &agent_reference_unknown::RULE,
    &app::CONTEXT_BOTH,
    &app::ID_MISSING,
    &decider::AGENT_MISSING,
    &decider::AGENT_UNDECLARED,
    &decider::SCHEMA_MISSING,
    &decider::THRESHOLD_RANGE,
    &hosts_empty::RULE,
    &interface_effect_unknown::RULE,
    &operations::ARTIFACT_UNKNOWN,
    &operations::EXECUTION_MODE_UNKNOWN,
    &operations::ID_BLANK,
    &operations::MODE_UNKNOWN,
    &operations::NULL,
    &operations::REASON_UNKNOWN,
    &proposals::ON_SUCCESS_UNKNOWN,
    &proposals::SCHEMA_TYPE,
    &root::EMPTY,
    &root::INLINE_IGNORED,
    &root::INVALID,
    &root::UNKNOWN,
    &schema_file_missing::RULE,
    &slots::DEFAULT_REQUIRED,
    &slots::DEFAULT_VALUE,
    &slots::TYPE_UNKNOWN,
    &world::DEFAULT_TYPE,
    &world::RESERVED_DECLARED,
    &world::TYPE_UNKNOWN,
];

/// Everything that this group has to say about a story.
pub fn check<'a>(cx: &'a StoryCx<'a>, calls: &[Call<'a>], out: &mut Vec<Diagnostic>) {
    app::check(cx, out);
    root::check(cx, out);
    operations::check(cx, out);
    decider::check(cx, out);
    interface_effect_unknown::check(cx, out);
    hosts_empty::check(cx, out);
    world::check(cx, out);
    slots::check(cx, out);
    proposals::check(cx, out);
    schema_file_missing::check(cx, calls, out);
}

/// Whether the manifest's file has a key, even when its value could not be read.
fn stands(cx: &StoryCx<'_>, key: &str) -> bool {
    let chunks = cx.story.file.chunks(cx.db);
    if !chunks.is_empty() {
        let mut keys = chunks.iter().filter_map(|c| c.home(cx.db).as_ref());
        return keys.any(|(_, k)| k.section == key && k.entry.is_none());
    }
    let tree = &parse(cx.db, cx.story.file).tree;
    let Some(root) = tree.root() else { return false };
    let entries = tree.entries(tree.resolve_alias(root));
    entries
        .iter()
        .any(|e| tree.as_string(tree.resolve_alias(e.key)).is_ok_and(|k| k == key))
}

/// The first key of the manifest's file: where something stands that the whole file lacks.
fn first_key(cx: &StoryCx<'_>) -> Span {
    let id = cx.story.file.file_id(cx.db);
    let manifest = &cx.story.manifest;
    let keys = Manifest::KEYS.iter().filter_map(|key| manifest.key_span(key));
    keys.filter(|span| span.file == id)
        .min_by_key(|span| span.range.start())
        .unwrap_or_else(|| Span::start_of(id))
}
