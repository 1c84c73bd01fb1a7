//! What the fold of one import makes from the child and the import alone: its rooms under their new names, its wrapper, its
//! tables under their flat names.
//!
//! It is a query of its own, so that an edit elsewhere in the importer renames nothing again. What depends on the importer's
//! other declarations (collisions, lists of verbs, lifted intents) is done in `lift`, on top of this.

use std::sync::Arc as Shared;

use camino::{Utf8Path, Utf8PathBuf};
use indexmap::IndexMap;
use kitsoki_diagnostics::Diagnostic;
use kitsoki_syntax::Span;
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use super::child::{Child, nearest, rooms_of};
use super::rename::Names;
use super::room::{self, Layer, Prompt, RoomFold};
use super::{advice, requires};
use crate::db::{Db, SourceFile, normalize};
use crate::pipeline;
use crate::rules::cx::place;
use crate::rules::imports as rules;
use crate::story::RESERVED_WORLD_KEYS;
use crate::surface::{
    Agent, Any, AnyKind, Effect, Field, Import, Intent, List, Made, Map, MapEntry, MetaMode, Operation, Optional, Room,
    Text, WorldVar,
};
use kitsoki_syntax::text_range;

/// The part of a fold that depends on nothing but the import and its child.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// Keys that exits require and arcs do not set.
    pub(super) required: Vec<Diagnostic>,
    /// What the renaming of rooms found.
    pub(super) in_rooms: Vec<Diagnostic>,
    /// Exits that the child fires and the importer does not map, with their places.
    pub(super) unmapped: IndexMap<SmolStr, Vec<Span>>,
    /// Exits that the child fires.
    pub(super) fired: FxHashSet<SmolStr>,
    /// Prompt overrides that hit something.
    pub(super) used_prompts: FxHashSet<SmolStr>,
    /// Keys of the importer that the child uses, with the first use.
    pub(super) shared: IndexMap<SmolStr, Span>,
    /// The compound state under the alias.
    pub(super) wrapper: Shared<Room>,
    /// What the wrapper's inputs have wrong.
    pub(super) in_wrapper: Vec<Diagnostic>,
    pub(super) world: Vec<Flat<WorldVar>>,
    pub(super) intents: Vec<Flat<Intent>>,
    pub(super) operations: Vec<Flat<Operation>>,
    pub(super) modes: Vec<Flat<MetaMode>>,
    pub(super) agents: Vec<Flat<Agent>>,
}

/// A declaration of the child under its flat name.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Flat<T> {
    /// The child's name.
    pub name: Text,
    /// The declaration under the flat name.
    pub entry: MapEntry<T>,
}

/// Folds `child` under `alias` of `importer`. `None` when the import is gone or has no state to enter.
pub(crate) fn fold(db: &dyn Db, importer: SourceFile, alias: &SmolStr, child: SourceFile) -> Option<Part> {
    let declared = pipeline::import_of(db, importer, alias.clone()).as_ref()?;
    let import: &Import = &declared.value;
    let story = pipeline::loaded(db, child);
    let child = Child {
        alias: &declared.name,
        import,
        story,
        rooms: rooms_of(import, story),
    };
    let entry = entry_of(&child)?;
    let mut required = Vec::new();
    let rooms: Vec<&Room> = child.rooms.iter().filter(|r| !r.null).map(|r| r.room).collect();
    requires::check(db, &story.manifest, &rooms, &mut required);
    let importer_dir = importer.dir(db).to_owned();
    let own_world = pipeline::own_world(db, importer);
    let layer = Layer {
        db,
        alias: child.alias,
        names: names(&child),
        exits: import.exits.value(),
        dir: &story.dir,
        prompts: prompts(&child, &importer_dir),
        importer_dir,
        importer_world: own_world.iter().map(SmolStr::as_str).collect(),
    };
    let mut fold = RoomFold::new(&layer);
    let states = states(&child, &mut fold);
    let mut in_wrapper = Vec::new();
    let wrapper = wrapper(db, &child, &layer.names, &entry, states, &mut in_wrapper);
    let m = &story.manifest;
    let names = &layer.names;
    Some(Part {
        required,
        in_rooms: fold.out,
        unmapped: fold.unmapped,
        fired: fold.fired,
        used_prompts: fold.used_prompts,
        shared: fold.shared,
        wrapper: Shared::new(wrapper),
        in_wrapper,
        world: flat(names, m.world.value(), |e| {
            (!RESERVED_WORLD_KEYS.contains(&e.name.as_str())).then(|| e.value.clone())
        }),
        intents: flat(names, m.intents.value(), |e| {
            let mut intent = super::lift::intent_of(&child, e).clone();
            room::intent(names, &mut intent);
            Some(intent)
        }),
        operations: flat(names, m.operations.value(), |e| {
            let mut operation = e.value.clone();
            room::operation(names, &mut operation);
            Some(operation)
        }),
        modes: flat(names, m.meta_modes.value(), |e| {
            let mut mode = e.value.clone();
            if let Some(agent) = &mut mode.agent {
                names.agent(&mut agent.value);
            }
            Some(mode)
        }),
        agents: flat(names, m.agents.value(), |e| Some(e.value.clone())),
    })
}

/// The child state that is entered: `entry`, else the child's root.
pub(super) fn entry_of(child: &Child<'_>) -> Option<Text> {
    if let Some(entry) = child.import.entry.as_ref().filter(|e| !e.text.is_empty()) {
        return Some(entry.value.clone());
    }
    let root = child.story.manifest.root.as_ref();
    root.and_then(|r| r.name()).filter(|r| !r.text.is_empty()).cloned()
}

/// The child's rooms under their new names, in the child's order.
fn states(child: &Child<'_>, fold: &mut RoomFold<'_, '_>) -> Map<Shared<Room>> {
    let mut states = Map::made(child.alias.span);
    for room in &child.rooms {
        fold.in_override = room.in_override;
        let folded = if room.null {
            Shared::new(room.room.clone())
        } else {
            fold.room(room.name.as_str(), room.room, 0)
        };
        states.entries.push(MapEntry {
            name: room.name.clone(),
            value: folded,
            null: room.null,
            broken: false,
        });
    }
    states
}

/// A section of the child, sorted as the reference visits it.
fn flat<T>(names: &Names<'_>, map: Option<&Map<T>>, value: impl Fn(&MapEntry<T>) -> Option<T>) -> Vec<Flat<T>> {
    let entries = map.map(Map::sorted).unwrap_or_default();
    let one = |e: &MapEntry<T>| {
        let value = value(e)?;
        let mut name = e.name.clone();
        names.put_prefix(&mut name);
        Some(Flat {
            name: e.name.clone(),
            entry: MapEntry {
                name,
                value,
                null: e.null,
                broken: e.broken,
            },
        })
    };
    entries.into_iter().filter_map(one).collect()
}

/// The compound state under the alias, with the effects that enter the child (`imports` 8.2).
fn wrapper(
    db: &dyn Db,
    child: &Child<'_>,
    names: &Names<'_>,
    entry: &Text,
    states: Map<Shared<Room>>,
    out: &mut Vec<Diagnostic>,
) -> Room {
    let site = child.alias.span;
    let world = child.story.manifest.world.value();
    let inputs = child.import.world_in.value();
    let given: FxHashSet<&str> = inputs.into_iter().flat_map(|m| m.names()).collect();
    let mut on_enter = Vec::new();
    for key in world.map(Map::sorted).unwrap_or_default() {
        let name = key.name.as_str();
        if RESERVED_WORLD_KEYS.contains(&name) || given.contains(name) {
            continue;
        }
        if let Some(default) = key.value.default_value() {
            let flat = Text::made(names.flat(name), Made::Import, site);
            on_enter.push(set(flat, default.clone(), site));
        }
    }
    for input in inputs.map(Map::sorted).unwrap_or_default() {
        if !names.world.contains(input.name.as_str()) {
            out.extend(no_such_input(db, child, input));
            continue;
        }
        out.extend(advice::coerced(db, child, input));
        let mut key = input.name.clone();
        names.put_prefix(&mut key);
        let value = Any {
            kind: AnyKind::Text(input.value.clone()),
            span: input.value.span,
        };
        on_enter.push(set(key, value, input.name.span));
    }
    let made = |value| Some(Field::made(value, site));
    Room {
        ty: made(Text::made("compound", Made::Import, site)),
        initial: made(entry.clone()),
        states: Some(Field::made(states, site)),
        on_enter: (!on_enter.is_empty()).then(|| Field::made(List::made(on_enter, site), site)),
        import_alias: Some(child.alias.text.clone()),
        ..Room::synthesized(Made::Import, site)
    }
}

fn no_such_input(db: &dyn Db, child: &Child<'_>, input: &MapEntry<Text>) -> Option<Diagnostic> {
    if child.story.incomplete.world {
        return None;
    }
    let inside = |text: &Text| place(db, text, text_range(0, text.text.len()));
    let world = child.story.manifest.world.value();
    let name = input.name.as_str();
    let at = inside(&input.name);
    if RESERVED_WORLD_KEYS.contains(&name) {
        let own = world.and_then(|w| w.entry(name)).map(|e| e.name.span);
        return Some(rules::import_world_in_undeclared::reserved(at, name, own));
    }
    let near = nearest(world, name).map(|t| (t.text.clone(), inside(t)));
    Some(rules::import_world_in_undeclared(at, name, child.alias, near))
}

/// One write on entry.
fn set(key: Text, value: Any, site: Span) -> Effect {
    let mut map = Map::made(site);
    map.push(key, value);
    Effect {
        set: Some(Field::made(map, site)),
        ..Effect::synthesized(Made::Import, site)
    }
}

/// The names of one layer.
pub(super) fn names<'a>(child: &Child<'a>) -> Names<'a> {
    fn all<T>(map: &Option<Field<Map<T>>>) -> FxHashSet<&str> {
        map.iter().flat_map(|m| m.names()).collect()
    }
    let m = &child.story.manifest;
    let mut world = all(&m.world);
    for key in RESERVED_WORLD_KEYS {
        world.remove(key);
    }
    let mut intents = all(&m.intents);
    let exported = child.import.intents.as_ref().and_then(|i| i.export.value());
    intents.extend(
        exported
            .into_iter()
            .flat_map(|l| l.items.iter())
            .map(Text::as_str)
            .filter(|n| !n.is_empty() && *n != "*"),
    );
    Names {
        prefix: smol_str::format_smolstr!("{}__", child.alias.text),
        world,
        intents,
        agents: all(&m.agents),
        operations: all(&m.operations),
        interfaces: all(&m.host_interfaces),
    }
}

fn prompts<'a>(child: &Child<'a>, importer_dir: &Utf8Path) -> FxHashMap<String, Prompt<'a>> {
    let list = child.import.overrides.as_ref().and_then(|o| o.prompts.value());
    let mut map = FxHashMap::default();
    for entry in list.into_iter().flat_map(|m| m.entries.iter()) {
        let path: Utf8PathBuf = normalize(&importer_dir.join(entry.value.as_str()));
        let path = Text::made(path.as_str(), Made::Import, entry.value.span);
        let prompt = Prompt { key: &entry.name, path };
        map.insert(
            normalize(&child.story.dir.join(entry.name.as_str())).into_string(),
            prompt.clone(),
        );
        map.insert(entry.name.text.to_string(), prompt);
    }
    map
}
