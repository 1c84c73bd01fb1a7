//! What loads and does not do what its author means: projections that read nothing, wiring that is never used, sections that
//! vanish (`imports` 7.4, 15).

use kitsoki_diagnostics::Diagnostic;
use kitsoki_syntax::{NodeKind, Resolved, Span};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use super::child::{Child, Fold};
use super::rename::world_references;
use crate::db::Db;
use crate::pipeline::parse;
use crate::rules::cx::place;
use crate::rules::expressions::unused_values;
use crate::rules::imports as rules;
use crate::story::{ENGINE_WORLD_KEYS, RESERVED_WORLD_KEYS};
use crate::surface::{Map, MapEntry, Optional, Text};
use kitsoki_syntax::text_range;

/// Reads of the child's world that find nothing, in what its exits push out.
pub(super) fn projections(fold: &mut Fold<'_, '_>, child: &Child<'_>) {
    if child.story.incomplete.world {
        return;
    }
    let prefix = format!("{}__", child.alias.text);
    let world = child.story.manifest.world.value();
    let known: FxHashSet<&str> = world.into_iter().flat_map(|w| w.names()).collect();
    for exit in child.import.exits.iter().flat_map(|m| m.entries.iter()) {
        let mut texts: Vec<&Text> = Vec::new();
        for entry in exit.value.set.iter().flat_map(|s| s.entries.iter()) {
            entry.value.for_each_text(&mut |text| texts.push(text));
        }
        for text in texts {
            for name in world_references(text.as_str()) {
                let word = text.as_str().get(name.clone()).unwrap_or_default();
                let at = place(fold.db, text, text_range(name.start, name.end));
                match word.strip_prefix(&prefix) {
                    Some(rest) if RESERVED_WORLD_KEYS.contains(&rest) => {
                        fold.say(rules::import_reserved_projection(at, word, rest));
                    }
                    Some(rest) if !known.contains(rest) && !fold.own_world.contains(word) => {
                        let near = near(world, rest);
                        fold.say(rules::import_projection_unknown(at, word, child.alias, near));
                    }
                    None if known.contains(word)
                        && !fold.own_world.contains(word)
                        && !fold.tables.world.contains_key(word)
                        && !RESERVED_WORLD_KEYS.contains(&word) =>
                    {
                        let own = world.and_then(|w| w.entry(word)).map(|e| e.name.span);
                        fold.say(rules::import_projection_unknown::bare(at, word, child.alias, own));
                    }
                    _ => {}
                }
            }
        }
    }
}

fn near<T>(map: Option<&Map<T>>, name: &str) -> Option<(SmolStr, Span)> {
    super::child::nearest(map, name).map(|t| (t.text.clone(), t.span))
}

/// Sections of the child that its importer does not see, and engine keys that the fold renames.
pub(super) fn dropped(fold: &mut Fold<'_, '_>, child: &Child<'_>) {
    let m = &child.story.manifest;
    for key in [
        "routing",
        "decider",
        "off_path",
        "prompts",
        "proposals",
        "providers",
        "agent_plugins",
    ] {
        if let Some(at) = m.key_span(key) {
            fold.say(rules::import_dropped_section(at, key, child.alias));
        }
    }
    for entry in m.world.iter().flat_map(|w| w.entries.iter()) {
        // A key of a grandchild has its prefix already and was said there.
        if ENGINE_WORLD_KEYS.contains(&entry.name.as_str()) {
            fold.say(rules::import_engine_key(
                fold.at(&entry.name),
                entry.name.as_str(),
                child.alias,
            ));
        }
    }
}

/// Exits and prompt overrides that nothing uses.
pub(super) fn unused(
    fold: &mut Fold<'_, '_>,
    child: &Child<'_>,
    fired: &FxHashSet<SmolStr>,
    prompts: &FxHashSet<SmolStr>,
) {
    if child.story.incomplete.states {
        return;
    }
    let declared = child.story.manifest.exits.value();
    for exit in child.import.exits.iter().flat_map(|m| m.entries.iter()) {
        if let Some(own) = declared.and_then(|d| d.entry(exit.name.as_str()))
            && !fired.contains(exit.name.as_str())
        {
            fold.say(rules::import_exit_unused(
                fold.at(&exit.name),
                exit.name.as_str(),
                child.alias,
                fold.at(&own.name),
            ));
            // What it would pass on becomes no effect, so nothing else looks at it.
            for finding in exit.value.set.iter().flat_map(|set| unused_values(fold.db, &set.value)) {
                fold.say(finding);
            }
        }
    }
    let list = child.import.overrides.as_ref().and_then(|o| o.prompts.value());
    for entry in list.into_iter().flat_map(|m| m.entries.iter()) {
        if !prompts.contains(&entry.name.text) {
            fold.say(rules::import_override_unused(
                fold.at(&entry.name),
                entry.name.as_str(),
                child.alias,
            ));
        }
    }
}

/// A scalar of `world_in` that is no text and becomes one.
pub(super) fn coerced(db: &dyn Db, child: &Child<'_>, input: &MapEntry<Text>) -> Option<Diagnostic> {
    if input.null || input.value.made.is_some() {
        return None;
    }
    let span = input.value.span;
    let file = db.file_by_id(span.file)?;
    let tree = &parse(db, file).tree;
    let node = tree.node_at(span.range.start()).into_iter().rev();
    let node = node
        .into_iter()
        .find(|n| tree.node(*n).range == span.range && matches!(tree.node(*n).kind, NodeKind::Scalar(_)));
    let kind = match node.map(|n| tree.value(n)) {
        Some(Resolved::Bool(_)) => "a truth value",
        Some(Resolved::Int(_) | Resolved::Uint(_) | Resolved::Float(_)) => "a number",
        _ => return None,
    };
    let key = child
        .story
        .manifest
        .world
        .as_ref()
        .and_then(|w| w.entry(input.name.as_str()));
    let converts = key.is_some_and(|k| ["bool", "int", "float"].contains(&k.value.type_word()));
    let own = key.map(|k| place(db, &k.name, text_range(0, k.name.text.len())));
    Some(rules::import_text_coercion(
        span,
        kind,
        input.value.as_str(),
        converts,
        own,
    ))
}
