//! Renames every kind of name of real stories, in unsaved texts, and compares what `check` says before and after.

use std::collections::BTreeMap;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use kitsoki_compiler::db::{Database, OverlaySystem, RealSystem, SourceFile};
use kitsoki_compiler::pipeline;
use kitsoki_lsp::features::rename::rename;
use kitsoki_lsp::features::symbol_at::declared_place;
use kitsoki_lsp::features::{At, Place, Snapshot, Workspace, stories};
use kitsoki_lsp::index::resolve::package_names;
use kitsoki_lsp::index::schema::Kind;

/// How the renames of one story went.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Renames that were made and changed nothing that `check` says.
    pub good: usize,
    /// Renames that were refused, with the reason.
    pub refused: Vec<String>,
    /// Renames that changed what `check` says.
    pub bad: Vec<String>,
}

const KINDS: [Kind; 7] = [
    Kind::State,
    Kind::Intent,
    Kind::Slot,
    Kind::World,
    Kind::Import,
    Kind::Agent,
    Kind::Call,
];

/// What `check` says, without names: rule and severity, counted.
fn verdict(snapshot: &Snapshot, root: SourceFile) -> BTreeMap<String, usize> {
    let mut out = BTreeMap::new();
    for finding in pipeline::findings(&snapshot.db, root) {
        *out.entry(format!("{:?} {}", finding.severity, finding.rule))
            .or_default() += 1;
    }
    out
}

/// Renames at most `most` names of each kind of a story below `root`.
pub fn story(root: &Utf8Path, manifest: &Utf8Path, most: usize) -> Outcome {
    let overlay = Arc::new(OverlaySystem::new(Arc::new(RealSystem)));
    let mut snapshot = Snapshot {
        db: Database::for_editing(overlay.clone()),
        workspace: Arc::new(Workspace {
            folders: vec![root.to_owned()],
            stories: stories::discover(&[root.to_owned()], &|| false),
            ..Workspace::default()
        }),
    };
    let file = snapshot.file(manifest);
    let before = verdict(&snapshot, file);
    let mut out = Outcome::default();
    for kind in KINDS {
        let names = package_names(&snapshot.db, file).clone();
        let all: Vec<_> = names.of_kind(kind).map(|(name, _, at)| (name.clone(), at)).collect();
        let step = all.len().div_ceil(most.max(1)).max(1);
        for (name, at) in all.into_iter().step_by(step) {
            let Some((place, _)) = declared_place(&snapshot, at) else {
                continue;
            };
            let at = At {
                file: place.file,
                offset: place.range.start(),
            };
            let leaf = name.rsplit('.').next().unwrap_or(&name);
            let new = format!("{}_re", leaf.replace('-', "_"));
            let edits = match rename(&snapshot, at, &new) {
                Ok(edits) => edits,
                Err(why) => {
                    out.refused.push(format!("{kind:?} {name}: {why}"));
                    continue;
                }
            };
            let texts = edited(&snapshot, &edits);
            let olds: Vec<Utf8PathBuf> = texts.keys().cloned().collect();
            for (path, text) in texts {
                overlay.set(&path, Some(Arc::from(text)));
                snapshot.db.refresh(&path);
            }
            let after = verdict(&snapshot, file);
            if after == before {
                out.good += 1;
            } else {
                out.bad.push(format!("{kind:?} {name}: {before:?} became {after:?}"));
            }
            for path in olds {
                overlay.set(&path, None);
                snapshot.db.refresh(&path);
            }
        }
    }
    out
}

fn edited(snapshot: &Snapshot, edits: &[(Place, String)]) -> BTreeMap<Utf8PathBuf, String> {
    let mut by_file: BTreeMap<Utf8PathBuf, Vec<&(Place, String)>> = BTreeMap::new();
    for edit in edits {
        let path = edit.0.file.path(&snapshot.db).clone();
        by_file.entry(path).or_default().push(edit);
    }
    by_file
        .into_iter()
        .map(|(path, mut edits)| {
            let mut text = edits.first().map(|(p, _)| snapshot.text(p.file).to_string()).unwrap();
            edits.sort_by_key(|(p, _)| std::cmp::Reverse(p.range.start()));
            for (place, new) in edits {
                text.replace_range(std::ops::Range::<usize>::from(place.range), new);
            }
            (path, text)
        })
        .collect()
}
