//! The outline of a file, and names of the whole workspace.

use kitsoki_compiler::db::{Db as _, SourceFile};
use kitsoki_compiler::pipeline;
use kitsoki_syntax::{NodeKind, TextRange, TextSize};
use smol_str::SmolStr;

use super::symbol_at::declared_place;
use super::{Place, Snapshot};
use crate::index::form::{Form, form};
use crate::index::names::{Piece, names, pieces};
use crate::index::resolve::package_names;
use crate::index::schema::{Kind, Role};
use crate::index::walk::scalar;

/// One entry of an outline.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    /// The name as written.
    pub name: SmolStr,
    /// What it is; `None` for a section of the file.
    pub kind: Option<Kind>,
    /// All of it.
    pub full: TextRange,
    /// The name.
    pub selection: TextRange,
    /// What stands inside.
    pub children: Vec<Symbol>,
}

/// The outline of a file.
#[must_use]
pub fn of_file(snapshot: &Snapshot, file: SourceFile) -> Vec<Symbol> {
    let db = &snapshot.db;
    let mut sections: Vec<Symbol> = Vec::new();
    for piece in pieces(db, file) {
        let entry = matches!(piece.file.home(db), Some((_, key)) if key.entry.is_some());
        let inside = nested(snapshot, &piece);
        if entry {
            if let Some(section) = sections.last_mut() {
                if let Some(last) = inside.last() {
                    section.full = TextRange::new(section.full.start(), last.full.end().max(section.full.end()));
                }
                section.children.extend(inside);
            } else {
                sections.extend(inside);
            }
            continue;
        }
        let tree = &pipeline::shown_parse(db, piece.file).tree;
        let root = tree.root().map(|r| &tree.node(r).kind);
        let mut rest = inside.into_iter().peekable();
        if let Some(NodeKind::Mapping(entries)) = root {
            for entry in entries {
                let Some(name) = scalar(tree, entry.key) else { continue };
                let selection = tree.node(entry.key).range + piece.offset;
                let end = (tree.node(entry.value).range.end() + piece.offset).max(selection.end());
                let full = TextRange::new(selection.start(), end);
                let mut children = Vec::new();
                while let Some(child) = rest.next_if(|c| c.full.end() <= full.end()) {
                    children.push(child);
                }
                sections.push(Symbol {
                    name: name.clone(),
                    kind: None,
                    full,
                    selection,
                    children,
                });
            }
        }
    }
    if form(db, file) != Form::Story {
        sections.iter_mut().for_each(|s| s.children.clear());
    }
    sections
}

/// The declarations of a piece, each inside of the one around it.
fn nested(snapshot: &Snapshot, piece: &Piece) -> Vec<Symbol> {
    let mut out: Vec<Symbol> = Vec::new();
    let mut open: Vec<Symbol> = Vec::new();
    let close = |open: &mut Vec<Symbol>, out: &mut Vec<Symbol>, start: TextSize| {
        while open.last().is_some_and(|s| s.full.end() <= start) {
            let Some(done) = open.pop() else { break };
            match open.last_mut() {
                Some(around) => around.children.push(done),
                None => out.push(done),
            }
        }
    };
    for o in names(&snapshot.db, piece.file)
        .iter()
        // A call is a part of its room, no declaration that an outline is read for.
        .filter(|o| o.role == Role::Definition && o.kind != Kind::Call)
    {
        let (full, selection) = (o.full + piece.offset, o.range + piece.offset);
        close(&mut open, &mut out, full.start());
        open.push(Symbol {
            name: SmolStr::new(o.written()),
            kind: Some(o.kind),
            full,
            selection,
            children: Vec::new(),
        });
    }
    close(&mut open, &mut out, TextSize::new(u32::MAX));
    out
}

/// A name of the workspace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// The name; of a room its path.
    pub name: SmolStr,
    /// What it is.
    pub kind: Kind,
    /// What it belongs to, or the story.
    pub container: String,
    /// The place of the name.
    pub place: Place,
}

/// Most names that one search gives.
const MOST: usize = 256;

/// The names of every story of the workspace that hold the letters of `query` in order.
#[must_use]
pub fn of_workspace(snapshot: &Snapshot, query: &str) -> Vec<Found> {
    const KINDS: [Kind; 16] = [
        Kind::State,
        Kind::Intent,
        Kind::World,
        Kind::Agent,
        Kind::Toolbox,
        Kind::Interface,
        Kind::Operation,
        Kind::Import,
        Kind::Exit,
        Kind::Provider,
        Kind::Plugin,
        Kind::Template,
        Kind::Phase,
        Kind::Mode,
        Kind::Proposal,
        Kind::Slot,
    ];
    let db = &snapshot.db;
    let query: Vec<char> = query.chars().flat_map(char::to_lowercase).collect();
    let open = snapshot.workspace.open.iter();
    let open = open.flat_map(|p| super::stories::packages(snapshot, db.file(p)));
    let mut manifests: Vec<SourceFile> = open
        .chain(snapshot.workspace.stories.iter().map(|p| db.file(p)))
        .collect();
    let mut seen = rustc_hash::FxHashSet::default();
    manifests.retain(|m| seen.insert(*m));
    let mut out: Vec<(usize, Found)> = Vec::new();
    for manifest in manifests {
        snapshot.check_cancelled();
        let package = package_names(db, manifest);
        for kind in KINDS {
            for (name, owner, at) in package.of_kind(kind) {
                let Some(score) = score(name, &query) else { continue };
                let Some((place, _)) = declared_place(snapshot, at) else {
                    continue;
                };
                let story = super::hover::short_path(snapshot, manifest);
                let container = if owner.is_empty() {
                    story
                } else {
                    format!("{owner} · {story}")
                };
                out.push((
                    score,
                    Found {
                        name: name.clone(),
                        kind,
                        container,
                        place,
                    },
                ));
            }
        }
    }
    out.sort_by_key(|(score, _)| *score);
    let mut places = rustc_hash::FxHashSet::default();
    out.into_iter()
        .map(|(_, found)| found)
        .filter(|f| places.insert(f.place))
        .take(MOST)
        .collect()
}

/// How far a name is from a query; `None` when it does not hold its letters in order.
fn score(name: &str, query: &[char]) -> Option<usize> {
    let lower: String = name.to_lowercase();
    let word: String = query.iter().collect();
    if lower.starts_with(&word) {
        return Some(0);
    }
    if lower.contains(&word) {
        return Some(1);
    }
    let mut rest = lower.chars();
    query.iter().all(|c| rest.any(|n| n == *c)).then_some(2)
}
