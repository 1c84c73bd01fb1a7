//! What can be done at a place: the fixes of findings, and what is missing made.

use camino::Utf8PathBuf;
use kitsoki_compiler::db::{Db as _, SourceFile};
use kitsoki_diagnostics::{Diagnostic, Fix};
use kitsoki_syntax::TextRange;

use super::symbol_at::hits;
use super::{At, Place, Snapshot, declare, diagnostics, rewrite, stories};
use crate::index::schema::{Kind, Role};

/// One thing to do.
#[derive(Clone, PartialEq, Debug)]
pub struct Action {
    /// What it does, as an imperative.
    pub title: String,
    /// Which kind.
    pub kind: ActionKind,
    /// The edits.
    pub edits: Vec<(Place, String)>,
    /// The finding that it mends, with its story.
    pub mends: Option<(Diagnostic, SourceFile)>,
    /// Every reader of the story would agree.
    pub safe: bool,
    /// A new file and its text.
    pub creates: Option<(Utf8PathBuf, String)>,
}

/// Kinds of actions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ActionKind {
    /// Mends a finding.
    Fix,
    /// Mends every finding that has a safe fix.
    FixAll,
    /// Adds something beside what is right as it is.
    Rewrite,
    /// Makes something new out of what is there.
    Extract,
    /// Replaces a macro by what it stands for.
    Inline,
}

/// The actions for a range of a file.
#[must_use]
pub fn actions(snapshot: &Snapshot, file: SourceFile, range: TextRange) -> Vec<Action> {
    let mut out: Vec<Action> = Vec::new();
    let mut all: Vec<(Place, String)> = Vec::new();
    let mut fixed = 0usize;
    for root in stories::roots(snapshot, file) {
        for finding in diagnostics::of_story(snapshot, root).findings {
            let Some(place) = finding.primary.as_ref().and_then(|p| snapshot.place(p.span)) else {
                continue;
            };
            if place.file != file {
                continue;
            }
            if let Some(fix) = finding.safe_fix()
                && let Some(edits) = edits_of(snapshot, fix)
                && edits.iter().all(|(p, _)| p.file == file && apart(*p, &all))
            {
                all.extend(edits);
                fixed += 1;
            }
            if place.range.intersect(range).is_none() {
                continue;
            }
            for fix in &finding.fixes {
                let Some(edits) = edits_of(snapshot, fix) else { continue };
                let title = if fix.title.is_empty() {
                    "fix this".to_owned()
                } else {
                    fix.title.clone()
                };
                if out.iter().any(|a| a.title == title && a.edits == edits) {
                    continue;
                }
                out.push(Action {
                    title,
                    kind: ActionKind::Fix,
                    edits,
                    mends: Some((finding.clone(), root)),
                    safe: fix.is_safe(),
                    creates: None,
                });
            }
        }
    }
    if fixed > 0 {
        out.push(Action {
            title: "apply every safe fix of this file".to_owned(),
            kind: ActionKind::FixAll,
            edits: all,
            mends: None,
            safe: true,
            creates: None,
        });
    }
    let at = At {
        file,
        offset: range.start(),
    };
    for found in declare::missing(snapshot, at) {
        out.push(Action {
            title: found.title,
            kind: ActionKind::Fix,
            edits: vec![found.edit],
            mends: None,
            safe: false,
            creates: None,
        });
    }
    out.extend(new_flow(snapshot, at));
    out.extend(rewrite::rewrites(snapshot, file, range).into_iter().map(|r| Action {
        title: r.title,
        kind: if r.extracts {
            ActionKind::Extract
        } else {
            ActionKind::Inline
        },
        edits: r.edits,
        mends: None,
        safe: false,
        creates: None,
    }));
    out
}

/// A fixture that begins in the room whose name is at the place.
fn new_flow(snapshot: &Snapshot, at: At) -> Option<Action> {
    let db = &snapshot.db;
    let hit = hits(snapshot, at)
        .into_iter()
        .find(|h| h.symbol.kind == Kind::State && h.occurrence.role == Role::Definition)?;
    let name = hit.symbol.name.as_str();
    let path = hit
        .package
        .dir(db)
        .join("flows")
        .join(format!("{}.yaml", name.replace('.', "_")));
    if db.file(&path).contents(db).text().is_some() {
        return None;
    }
    let text = format!("test_kind: flow\ninitial_state: {name}\nturns: []\nexpect_no_errors: true\n");
    Some(Action {
        title: format!("make a flow that begins in `{name}`"),
        kind: ActionKind::Rewrite,
        edits: Vec::new(),
        mends: None,
        safe: false,
        creates: Some((path, text)),
    })
}

/// Edits that are made together must not touch.
fn apart(place: Place, others: &[(Place, String)]) -> bool {
    others
        .iter()
        .all(|(o, _)| o.range.end() < place.range.start() || place.range.end() < o.range.start())
}

/// The edits of a fix in whole files; `None` when one of them does not fit its file.
fn edits_of(snapshot: &Snapshot, fix: &Fix) -> Option<Vec<(Place, String)>> {
    let edits: Option<Vec<(Place, String)>> = fix
        .edits
        .iter()
        .map(|e| {
            let place = snapshot.place(e.span)?;
            let text = snapshot.text(place.file);
            text.get(std::ops::Range::<usize>::from(place.range))?;
            Some((place, e.text.clone()))
        })
        .collect();
    edits.filter(|e| !e.is_empty())
}
