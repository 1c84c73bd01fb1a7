//! Arcs as calls: which rooms lead into a room, and where it leads.

use kitsoki_syntax::TextRange;
use smol_str::SmolStr;

use super::symbol_at::{Reach, declarations, hits, uses};
use super::{At, Place, Snapshot};
use crate::index::names::{Occurrence, names, pieces};
use crate::index::resolve::{Symbol, package_names, parts};
use crate::index::schema::{Kind, Role};

/// A room with the arcs between it and the one that was asked about.
#[derive(Clone, PartialEq, Debug)]
pub struct Arcs {
    /// The room.
    pub room: Symbol,
    /// The places of the targets, in one file.
    pub places: Vec<Place>,
}

/// The room at a place.
#[must_use]
pub fn room_at(snapshot: &Snapshot, at: At) -> Vec<Symbol> {
    hits(snapshot, at)
        .into_iter()
        .map(|h| h.symbol)
        .filter(|s| s.kind == Kind::State)
        .collect()
}

/// The declaration of a room: its name, and all of it.
#[must_use]
pub fn declaration(snapshot: &Snapshot, room: &Symbol) -> Option<(Place, TextRange)> {
    declarations(snapshot, room).into_iter().next()
}

/// The rooms that lead into one.
#[must_use]
pub fn into_room(snapshot: &Snapshot, room: &Symbol) -> Vec<Arcs> {
    let mut out: Vec<Arcs> = Vec::new();
    for used in uses(snapshot, room, Reach::Everywhere) {
        if used.role != Role::Call || used.fixture {
            continue;
        }
        let Some(from) = room_around(snapshot, used.place) else {
            continue;
        };
        match out.iter_mut().find(|a| a.room == from) {
            Some(arcs) => arcs.places.push(used.place),
            None => out.push(Arcs {
                room: from,
                places: vec![used.place],
            }),
        }
    }
    out
}

/// The rooms that one leads to.
#[must_use]
pub fn out_of_room(snapshot: &Snapshot, room: &Symbol) -> Vec<Arcs> {
    let db = &snapshot.db;
    let mut out: Vec<Arcs> = Vec::new();
    let Some((place, full)) = declaration(snapshot, room) else {
        return out;
    };
    for piece in pieces(db, place.file) {
        for o in names(db, piece.file).iter() {
            let at = Place {
                file: place.file,
                range: o.range + piece.offset,
            };
            if o.kind != Kind::State || o.role != Role::Call || !full.contains_range(at.range) {
                continue;
            }
            if room_around(snapshot, at).is_none_or(|r| r != *room) || is_prefix(o, names(db, piece.file)) {
                continue;
            }
            let Some(target) = parts(db, room.manifest, o).pop().map(|p| p.symbol) else {
                continue;
            };
            match out.iter_mut().find(|a| a.room == target) {
                Some(arcs) => arcs.places.push(at),
                None => out.push(Arcs {
                    room: target,
                    places: vec![at],
                }),
            }
        }
    }
    out
}

/// Whether a segment of a path is followed by another one.
fn is_prefix(o: &Occurrence, all: &[Occurrence]) -> bool {
    let after = o.range.end() + kitsoki_syntax::TextSize::new(1);
    all.iter()
        .any(|n| n.kind == Kind::State && n.range.start() == after && n.hidden > 0)
}

/// The innermost room whose declaration holds a place.
fn room_around(snapshot: &Snapshot, place: Place) -> Option<Symbol> {
    let db = &snapshot.db;
    let package = super::symbol_at::packages(snapshot, place.file).first().copied()?;
    let mut found: Option<(TextRange, SmolStr)> = None;
    for piece in pieces(db, place.file) {
        for o in names(db, piece.file).iter() {
            let full = o.full + piece.offset;
            let inside = o.kind == Kind::State && o.role == Role::Definition && full.contains_range(place.range);
            if inside && found.as_ref().is_none_or(|(f, _)| f.len() > full.len()) {
                found = Some((full, o.name.clone()));
            }
        }
    }
    let (_, name) = found?;
    let known = !package_names(db, package)
        .declarations(Kind::State, &name, "")
        .is_empty();
    known.then(|| Symbol {
        manifest: package,
        kind: Kind::State,
        name,
        owner: SmolStr::default(),
    })
}
