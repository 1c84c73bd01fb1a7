//! The proof that edits keep what a story means: it is compiled with them, and what the macros make of it must be the same.

use std::collections::BTreeMap;
use std::sync::Arc;

use camino::Utf8PathBuf;
use kitsoki_compiler::db::{Database, Db, OverlaySystem, SourceFile};
use kitsoki_compiler::pipeline;
use kitsoki_compiler::surface::Surface as _;
use serde_json::Value as Json;

use super::super::insert::Edit;
use super::super::{Snapshot, stories};

/// Whether a story, and every story of the workspace that imports it, is the same with some edits after all macros, and
/// nothing is said about it that was not said before. Keys of `forgotten` are not compared: they are the macro itself.
///
/// Everything that runs is made from the declarations that are compared. Their order in a table is not: nothing depends on it.
pub(super) fn keeps_meaning(snapshot: &Snapshot, manifest: SourceFile, edits: &[Edit], forgotten: &[&str]) -> bool {
    let before = &snapshot.db;
    let overlay = OverlaySystem::new(before.shared_system());
    for (path, text) in edited(snapshot, edits) {
        overlay.set(&path, Some(Arc::from(text)));
    }
    let after = Database::new(Arc::new(overlay));
    let mut roots = vec![manifest];
    roots.extend(stories::importers(snapshot, &[manifest]));
    roots.into_iter().all(|root| {
        snapshot.check_cancelled();
        let again = after.file(root.path(before));
        declared(before, root, forgotten) == declared(&after, again, forgotten)
            && says_no_more(before, root, &after, again)
    })
}

/// The files of some edits with their new texts.
fn edited(snapshot: &Snapshot, edits: &[Edit]) -> BTreeMap<Utf8PathBuf, String> {
    let mut sorted: Vec<&Edit> = edits.iter().collect();
    // The last first. Of two at one place the one that stands later in the list comes behind the other.
    sorted.sort_by_key(|(place, _)| (place.range.start(), place.range.end()));
    let mut texts: BTreeMap<Utf8PathBuf, String> = BTreeMap::new();
    for (place, new) in sorted.into_iter().rev() {
        let path = place.file.path(&snapshot.db).clone();
        let text = texts
            .entry(path)
            .or_insert_with(|| snapshot.text(place.file).to_string());
        let range = std::ops::Range::<usize>::from(place.range);
        if text.get(range.clone()).is_some() {
            text.replace_range(range, new);
        }
    }
    texts
}

/// What a story declares after every macro.
fn declared(db: &Database, root: SourceFile, forgotten: &[&str]) -> Json {
    let mut all = pipeline::story(db, root).manifest.emit();
    forget(&mut all, forgotten);
    all
}

fn forget(value: &mut Json, keys: &[&str]) {
    match value {
        Json::Object(map) => {
            let size = map.len();
            map.retain(|key, _| !keys.contains(&key.as_str()));
            map.values_mut().for_each(|v| forget(v, keys));
            // `agent_off_ramp` without its last key is `true`.
            if map.is_empty() && size > 0 {
                *value = Json::Bool(true);
            }
        }
        Json::Array(items) => items.iter_mut().for_each(|v| forget(v, keys)),
        _ => {}
    }
}

fn says_no_more(before: &Database, root: SourceFile, after: &Database, again: SourceFile) -> bool {
    let said = |db: &Database, root: SourceFile| -> Vec<(&'static str, String)> {
        let all = pipeline::findings(db, root);
        all.into_iter().map(|f| (f.rule, f.message)).collect()
    };
    let known = said(before, root);
    said(after, again).iter().all(|f| known.contains(f))
}
