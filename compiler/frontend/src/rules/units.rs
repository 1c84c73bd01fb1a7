//! Rules that look at one room after the other, kept per top-level room in a session of edits.
//!
//! What such a rule says depends on the room, on the rooms around and inside of it, and on the names of the story
//! ([`Context`]). A top-level room with everything inside is a unit: after an edit only the units that changed are looked at
//! again. A run that checks a story once takes the rooms together, or in parts side by side, with the same result.

use std::sync::Arc as Shared;

use rayon::prelude::*;

use kitsoki_diagnostics::Diagnostic;
use kitsoki_expr::types::Type;
use kitsoki_syntax::{FileId, Span};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use super::calls;
use super::cx::StoryCx;
use super::effects::{self, Cleared};
use super::expressions::{self, Shapes, Slots, Surroundings, Texts};
use super::seen::{Seen, Sources, seen};
use super::{rooms, views};
use crate::db::{Database, Db, SourceFile};
use crate::story::Loaded;
use crate::surface::{Field, Items, Manifest, Map, MapEntry, Optional, Room, Text};

/// What was found in some rooms.
#[derive(Clone, Debug, Default)]
pub(crate) struct Found {
    /// Findings of rules that look at one room.
    pub(crate) findings: Vec<Diagnostic>,
    /// Findings about texts, and what texts contribute to findings about the story.
    pub(crate) texts: Texts,
    /// The texts of the rooms, in a session of edits.
    rooms: Sources,
    /// Those of the declarations: not the whole context, which holds the story of its time.
    declarations: Shared<Sources>,
}

/// Whether what was found is about the texts of `sources`.
pub(crate) fn are_present(found: &[&Found], sources: &Sources) -> bool {
    let mut known: Option<&Shared<Sources>> = None;
    found.iter().all(|f| {
        let same = known.is_some_and(|k| Shared::ptr_eq(k, &f.declarations)) || sources.hold(&f.declarations);
        known = Some(&f.declarations);
        same && sources.hold(&f.rooms)
    })
}

/// Everything about the rooms that `cx` looks at.
pub(crate) fn look<'a>(cx: &'a StoryCx<'a>, cleared: &Cleared, around: &Surroundings<'a>) -> Found {
    let mut findings = Vec::new();
    rooms::check_each(cx, &around.world, &mut findings);
    effects::check_each(cx, cleared, &mut findings);
    views::check(cx, &mut findings);
    Found {
        findings,
        texts: expressions::check_each(cx, around),
        ..Found::default()
    }
}

/// A snapshot that may be handed to a thread.
#[derive(Clone)]
struct Snapshot(Database);

/// Parts for each thread: rooms are not equally large.
const PARTS: usize = 4;

/// The same as [`look`] over all rooms, by parts of them on all threads of the pool around.
pub(crate) fn look_side_by_side(
    db: &Database,
    seen: &Seen,
    cleared: &Cleared,
    shapes: &Shapes,
    slots: &Slots,
) -> Vec<Found> {
    let story: &Loaded = &seen.story;
    let names = names(story);
    let size = names.len().div_ceil(PARTS * rayon::current_num_threads()).max(1);
    names
        .par_chunks(size)
        .map_with(Snapshot(db.clone()), |db, part| {
            let cx = StoryCx::of(&db.0, story, story.manifest.states.value(), Some(part)).with_sources(&seen.sources);
            let origin = |key: &str| shapes.origins.get(key);
            let around = Surroundings {
                world: shapes.world.clone(),
                origin: &origin,
                slots,
            };
            look(&cx, cleared, &around)
        })
        .collect()
}

/// What the rules about one room know of the rest of the story.
///
/// Two contexts are the same when no rule about one room can tell them apart; the story inside may then be an earlier one,
/// whose rooms nobody looks at.
#[derive(Clone, Debug)]
pub(crate) struct Context {
    story: Shared<Loaded>,
    /// The texts of its declarations.
    sources: Shared<Sources>,
    /// The declarations without rooms.
    bare: Manifest,
    /// The rooms without bodies.
    outline: Option<Map<Shared<Room>>>,
    /// The type of `world`.
    world: Type,
    slots: Slots,
    cleared: Cleared,
}

impl PartialEq for Context {
    fn eq(&self, other: &Self) -> bool {
        let (a, b) = (&self.story, &other.story);
        self.sources == other.sources
            && self.bare == other.bare
            && self.outline == other.outline
            && self.world == other.world
            && self.slots == other.slots
            && self.cleared == other.cleared
            && a.incomplete == b.incomplete
            && a.findings == b.findings
            && a.files == b.files
            && a.wrappers == b.wrappers
            && a.scripts == b.scripts
            && a.manifests == b.manifests
    }
}

/// The units of a story, by name as rules visit them.
pub(crate) fn names(story: &Loaded) -> Vec<SmolStr> {
    let states = story.manifest.states.value();
    let sorted = states.map(Map::sorted).unwrap_or_default();
    sorted.into_iter().map(|e| e.name.text.clone()).collect()
}

/// What is known of the values of a story.
#[salsa::tracked(returns(ref), no_eq, lru = 8)]
pub(crate) fn shapes(db: &dyn Db, root: SourceFile) -> Shared<Shapes> {
    let cx = StoryCx::new(db, &seen(db, root).story);
    let calls = calls::of_story(&cx);
    Shared::new(Shapes::of_story(&cx, &calls))
}

/// What gave a world key its shape. A query per key: the place moves with every edit in its room.
#[salsa::tracked(returns(ref))]
fn origin(db: &dyn Db, root: SourceFile, key: SmolStr) -> Option<Text> {
    shapes(db, root).origins.get(&key).cloned()
}

/// The border of the rules about one room.
#[salsa::tracked(returns(ref), lru = 8)]
pub(crate) fn context(db: &dyn Db, root: SourceFile) -> Shared<Context> {
    let Seen { story, sources } = seen(db, root);
    let cx = StoryCx::new(db, story);
    Shared::new(Context {
        story: story.clone(),
        sources: Shared::new(sources.only(|_, section| section != "states")),
        bare: Manifest {
            states: None,
            ..story.manifest.clone()
        },
        outline: story.manifest.states.as_ref().map(|s| outline(&s.value)),
        world: shapes(db, root).world.clone(),
        slots: Slots::of_story(&cx),
        cleared: Cleared::of(&cx),
    })
}

/// Rooms with nothing but their names and the imports that they stand for.
fn outline(states: &Map<Shared<Room>>) -> Map<Shared<Room>> {
    let nowhere = Span::start_of(FileId(u32::MAX));
    let entries = states.entries.iter().map(|e| MapEntry {
        name: e.name.clone(),
        value: Shared::new(Room {
            import_alias: e.value.import_alias.clone(),
            states: e.value.states.as_ref().map(|s| Field::new(nowhere, outline(&s.value))),
            ..Room::blank(nowhere, nowhere)
        }),
        null: e.null,
        broken: e.broken,
    });
    Map {
        entries: entries.collect::<Items<_>>(),
        span: nowhere,
    }
}

/// One top-level room of a story after every macro, with the texts that its places belong to.
#[salsa::tracked(returns(ref))]
fn room(db: &dyn Db, root: SourceFile, name: SmolStr) -> Option<(MapEntry<Shared<Room>>, Sources)> {
    let seen = seen(db, root);
    let entry = seen.story.manifest.states.as_ref()?.value.entry(&name)?.clone();
    let mut files: FxHashSet<FileId> = FxHashSet::default();
    let mut stack: Vec<&Room> = vec![&entry.value];
    while let Some(room) = stack.pop() {
        files.insert(room.span.file);
        stack.extend(room.states.iter().flat_map(|s| s.entries.iter()).map(|e| &*e.value));
    }
    let sources = seen
        .sources
        .only(|id, section| section == "states" && files.contains(&id));
    Some((entry, sources))
}

/// What was found in one top-level room.
#[salsa::tracked(returns(ref), no_eq)]
pub(crate) fn unit(db: &dyn Db, root: SourceFile, name: SmolStr) -> Found {
    let Some((entry, sources)) = room(db, root, name.clone()) else {
        return Found::default();
    };
    let context = context(db, root);
    let mut states = context.outline.clone();
    for state in states.iter_mut().flat_map(|s| s.entries.iter_mut()) {
        if state.name.text == entry.name.text {
            *state = entry.clone();
        }
    }
    let cx = StoryCx::of(db, &context.story, states.as_ref(), Some(std::slice::from_ref(&name)))
        .with_sources(sources)
        .with_sources(&context.sources);
    let origin = |key: &str| origin(db, root, SmolStr::new(key)).as_ref();
    let around = Surroundings {
        world: context.world.clone(),
        origin: &origin,
        slots: &context.slots,
    };
    Found {
        rooms: sources.clone(),
        declarations: context.sources.clone(),
        ..look(&cx, &context.cleared, &around)
    }
}
