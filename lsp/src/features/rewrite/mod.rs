//! Rewrites that keep what a story means: a macro becomes the declarations that it stands for, rooms that are alike become a
//! template with its uses.
//!
//! | Module | What it does |
//! |---|---|
//! | `write_out` | `workbench:` and `capture_free_text` as ordinary declarations |
//! | `phases_out` | `phases:` as the rooms of their template |
//! | `phases_in`, `unify` | rooms as phases of a template; what differs between them |
//! | `proof` | compiles the story with the edits: a rewrite that would change it is not offered |

mod phases_in;
mod phases_out;
mod proof;
mod unify;
mod write_out;

use kitsoki_compiler::db::SourceFile;
use kitsoki_syntax::{Entry, NodeKind, TextRange, TextSize};
use smol_str::SmolStr;

use super::cursor::{self, Spot};
use super::insert::{Edit, Source};
use super::symbol_at::packages;
use super::{At, Snapshot};
use crate::index::form::{Form, form};
use crate::index::names::{Occurrence, names, piece_at};
use crate::index::schema::{Kind, Role};
use crate::index::walk::scalar;

/// One rewrite.
#[derive(Clone, PartialEq, Debug)]
pub struct Rewrite {
    /// What it does, as an imperative.
    pub title: String,
    /// Something new is made out of what is there; otherwise a macro is replaced by what it is.
    pub extracts: bool,
    /// The edits.
    pub edits: Vec<Edit>,
}

/// The rewrites for a range of a file.
#[must_use]
pub fn rewrites(snapshot: &Snapshot, file: SourceFile, range: TextRange) -> Vec<Rewrite> {
    // What several stories include would have to mean the same in each of them.
    let [manifest] = packages(snapshot, file)[..] else {
        return Vec::new();
    };
    let at = At {
        file,
        offset: range.start(),
    };
    if form(&snapshot.db, file) != Form::Story || (range.is_empty() && !is_at_a_key(snapshot, at)) {
        return Vec::new();
    }
    let source = Source::of(snapshot, file);
    let way = way_to(&source, range.start());
    let found = [
        write_out::workbench(snapshot, manifest, &source, &way),
        write_out::capture(snapshot, manifest, &source, &way),
        phases_out::write_out(snapshot, manifest, &source, &way, range.start()),
        phases_in::extract(snapshot, manifest, &source, range),
    ];
    found.into_iter().flatten().collect()
}

/// Whether a cursor is at the key of a macro or at the name of a room. Asked at every move of a cursor, before anything is read.
fn is_at_a_key(snapshot: &Snapshot, at: At) -> bool {
    let macros = ["workbench", "agent_off_ramp", "capture_free_text"];
    match cursor::spot(snapshot, at) {
        Some(Spot::Key { key, .. }) => macros.iter().chain(&phases_out::SECTIONS).any(|m| key == *m),
        Some(_) => false,
        None => {
            let piece = piece_at(&snapshot.db, at.file, at.offset);
            let offset = at.offset.checked_sub(piece.offset).unwrap_or_default();
            let room = |o: &Occurrence| o.kind == Kind::State && o.role == Role::Definition;
            let all = names(&snapshot.db, piece.file);
            all.iter().any(|o| room(o) && o.range.contains_inclusive(offset))
        }
    }
}

/// The keys around an offset, outermost first, as far as only mappings stand around it.
fn way_to(source: &Source, offset: TextSize) -> Vec<(SmolStr, Entry)> {
    let mut way = Vec::new();
    let mut node = source.tree.root();
    while let Some(at) = node {
        let NodeKind::Mapping(entries) = &source.tree.node(at).kind else {
            break;
        };
        let holds = |e: &&Entry| {
            let range = source.tree.node(e.key).range.cover(source.tree.node(e.value).range);
            range.contains_inclusive(offset)
        };
        // Where one entry ends another may begin: the later one is meant.
        let Some(entry) = entries.iter().rev().find(holds) else {
            break;
        };
        let Some(key) = scalar(&source.tree, entry.key) else {
            break;
        };
        way.push((key.clone(), *entry));
        node = Some(entry.value);
    }
    way
}

/// The room on a way that leads to one of its keys: its path, and its own entry.
fn room_of<'w>(way: &'w [(SmolStr, Entry)], key: &str) -> Option<(String, Entry, &'w Entry)> {
    let at = way.iter().position(|(k, _)| k == key)?;
    let (rooms, _) = way.split_at(at);
    let mut path: Vec<&str> = Vec::new();
    for pair in rooms.chunks(2) {
        match pair {
            [(states, _), (name, _)] if states == "states" => path.push(name),
            _ => return None,
        }
    }
    let (_, room) = rooms.last()?;
    Some((path.join("."), *room, &way.get(at)?.1))
}
