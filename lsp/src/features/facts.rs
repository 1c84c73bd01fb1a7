//! What the declarations of a package say about a name.

use kitsoki_compiler::db::SourceFile;
use kitsoki_compiler::pipeline;
use kitsoki_compiler::surface::{Effect, Intent, Manifest, Room, Slot, Text};
use kitsoki_syntax::Span;
use smol_str::SmolStr;

use super::Snapshot;
use crate::index::resolve::{Symbol, package_names};

/// The room at a path of a manifest.
#[must_use]
pub fn room<'m>(manifest: &'m Manifest, path: &str) -> Option<&'m Room> {
    let mut states = manifest.states.as_ref().map(|s| &s.value);
    let mut found: Option<&Room> = None;
    for part in path.split('.') {
        let room: &Room = states?.get(part)?;
        states = room.states.as_ref().map(|s| &s.value);
        found = Some(room);
    }
    found
}

/// The intent of a name; `owner` is the room that declares it, empty for the story.
#[must_use]
pub fn intent<'m>(manifest: &'m Manifest, name: &str, owner: &str) -> Option<&'m Intent> {
    if owner.is_empty() {
        let global = manifest.intents.as_ref().and_then(|i| i.value.get(name));
        return global.or_else(|| manifest.checkpoint_intents.as_ref().and_then(|i| i.value.get(name)));
    }
    room(manifest, owner)?.intents.as_ref()?.value.get(name)
}

/// The slot of a name; `owner` is its intent, behind the room of a local one.
#[must_use]
pub fn slot<'m>(manifest: &'m Manifest, name: &str, owner: &str) -> Option<&'m Slot> {
    let (room, intent_name) = owner.rsplit_once('/').unwrap_or(("", owner));
    intent(manifest, intent_name, room)?.slots.as_ref()?.value.get(name)
}

/// The package of a manifest.
#[must_use]
pub fn manifest(snapshot: &Snapshot, file: SourceFile) -> &Manifest {
    &pipeline::package(&snapshot.db, file).manifest
}

/// The declarations of the package that declares a symbol, with the words that wait where it is declared ([`pipeline::shown_piece`]):
/// of those the piece alone, where nothing but the symbol is to be asked for.
#[must_use]
pub fn with_words<'s>(snapshot: &'s Snapshot, symbol: &Symbol) -> &'s Manifest {
    let db = &snapshot.db;
    let declared = package_names(db, symbol.manifest).declarations(symbol.kind, &symbol.name, &symbol.owner);
    let waiting = declared.first().and_then(|d| pipeline::shown_piece(db, d.piece));
    waiting.unwrap_or_else(|| manifest(snapshot, symbol.manifest))
}

/// The title of a story.
#[must_use]
pub fn title(snapshot: &Snapshot, file: SourceFile) -> Option<&Text> {
    let db = &snapshot.db;
    let about = |p: &&SourceFile| matches!(p.home(db), Some((_, key)) if key.section == "app");
    let piece = file.chunks(db).iter().find(about);
    let waiting = piece.and_then(|piece| pipeline::shown_piece(db, *piece));
    let manifest = waiting.unwrap_or_else(|| manifest(snapshot, file));
    Some(&manifest.app.as_ref()?.title.as_ref()?.value)
}

/// The schema of the agent call whose submission a world key takes, with its place.
#[must_use]
pub fn schema_of(manifest: &Manifest, key: &str) -> Option<(SmolStr, Span)> {
    let mut found = None;
    each_effect(manifest, &mut |effect| {
        let Some(bind) = &effect.bind else { return };
        let Some(path) = bind.value.get(key) else { return };
        if found.is_some() || !(path.as_str() == "submitted" || path.as_str() == "payload") {
            return;
        }
        let Some(with) = &effect.with else { return };
        let direct = with.value.get("schema").and_then(|s| s.as_text());
        let nested = with
            .value
            .get("acceptance")
            .and_then(|a| a.get("schema"))
            .and_then(|s| s.as_text());
        found = direct.or(nested).map(|t| (t.text.clone(), t.span));
    });
    found
}

/// Calls `f` for every effect of every room.
pub fn each_effect(manifest: &Manifest, f: &mut dyn FnMut(&Effect)) {
    for room in each_room(manifest) {
        for site in kitsoki_compiler::rules::walk::effects(room) {
            f(site.effect);
        }
    }
}

/// Every room, with those inside of others.
pub fn each_room(manifest: &Manifest) -> impl Iterator<Item = &Room> {
    let mut waiting: Vec<&Room> = Vec::new();
    let states = manifest.states.as_ref().map(|s| &s.value);
    waiting.extend(states.into_iter().flat_map(|s| s.entries.iter()).map(|e| &*e.value));
    std::iter::from_fn(move || {
        let room = waiting.pop()?;
        let children = room.states.as_ref().map(|s| &s.value);
        waiting.extend(children.into_iter().flat_map(|s| s.entries.iter()).map(|e| &*e.value));
        Some(room)
    })
}
