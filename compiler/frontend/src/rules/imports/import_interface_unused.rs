//! `import-interface-unused`: no room of the story invokes it.

use super::super::prelude::*;
use crate::db::{Db, SourceFile};

pub(crate) const RULE: Rule = Rule {
    id: "import-interface-unused",
    level: Level::Warning,
    summary: "a host interface that nothing calls",
    fixable: Fixable::Never,
};

/// Interfaces of the story itself; those of children are theirs.
pub(crate) fn check(cx: &StoryCx<'_>, out: &mut Vec<Diagnostic>) {
    let Some(interfaces) = cx.story.manifest.host_interfaces.value() else {
        return;
    };
    if cx.story.incomplete.states {
        return;
    }
    let called = called_in(cx.db, cx.story.file);
    for entry in interfaces {
        if !entry.null && entry.name.edits.is_none() && !called.contains(entry.name.as_str()) {
            out.push(RULE.at(cx.inside(&entry.name), "never called").message(format!(
                "no room calls the host interface {}",
                code(entry.name.as_str())
            )));
        }
    }
}

/// The interfaces that rooms call, before their calls become those of handlers. A query, so that an edit of something else
/// says nothing new here.
#[salsa::tracked(returns(ref))]
fn called_in(db: &dyn Db, root: SourceFile) -> std::collections::BTreeSet<smol_str::SmolStr> {
    let loaded = crate::pipeline::loaded(db, root);
    called(&loaded.manifest)
        .into_iter()
        .map(smol_str::SmolStr::new)
        .collect()
}

fn called(manifest: &Manifest) -> rustc_hash::FxHashSet<&str> {
    let mut called = rustc_hash::FxHashSet::default();
    let mut rooms: Vec<&Room> = manifest
        .states
        .iter()
        .flat_map(|s| s.entries.iter())
        .map(|e| &*e.value)
        .collect();
    while let Some(room) = rooms.pop() {
        for site in super::super::walk::own_effects(room) {
            let verb = site
                .effect
                .invoke
                .as_ref()
                .and_then(|v| v.as_str().strip_prefix("iface."));
            if let Some((name, _)) = verb.and_then(|v| v.rsplit_once('.')) {
                called.insert(name);
            }
        }
        rooms.extend(room.states.iter().flat_map(|s| s.entries.iter()).map(|e| &*e.value));
    }
    called
}
