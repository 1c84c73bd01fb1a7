//! The walk over the rooms of a story, for macros that change them: sorted by name at each level, parents first.
//!
//! Rooms are named by their way through the lists of entries, so that any of them can be changed while the walk goes on.

use std::sync::Arc as Shared;

use smol_str::{SmolStr, format_smolstr};

use crate::surface::{Field, Manifest, Map, MapEntry, Room};

/// Where a room stands.
#[derive(Clone, Debug)]
pub(super) struct RoomAt {
    /// Dotted path.
    pub path: SmolStr,
    /// `alias__` of every import wrapper on the way, outermost first, the room's own included.
    pub prefix: SmolStr,
    /// Indexes into the entries of each level.
    steps: Vec<u32>,
}

/// Every room with a body.
pub(super) fn walk(manifest: &Manifest) -> Vec<RoomAt> {
    let mut out = Vec::new();
    let Some(states) = &manifest.states else { return out };
    let mut stack: Vec<(RoomAt, &MapEntry<Shared<Room>>)> = Vec::new();
    let root = RoomAt {
        path: SmolStr::default(),
        prefix: SmolStr::default(),
        steps: Vec::new(),
    };
    push_children(&mut stack, &root, states);
    while let Some((at, entry)) = stack.pop() {
        // A room without a body is a legal target and nothing else (`language` 2.5).
        if entry.null {
            continue;
        }
        if let Some(children) = &entry.value.states {
            push_children(&mut stack, &at, children);
        }
        out.push(at);
    }
    out
}

fn push_children<'a>(
    stack: &mut Vec<(RoomAt, &'a MapEntry<Shared<Room>>)>,
    around: &RoomAt,
    states: &'a Field<Map<Shared<Room>>>,
) {
    let mut sorted: Vec<(usize, &MapEntry<Shared<Room>>)> = states.entries.iter().enumerate().collect();
    sorted.sort_by(|a, b| b.1.name.as_str().cmp(a.1.name.as_str()));
    for (index, entry) in sorted {
        let name = entry.name.as_str();
        let path = if around.path.is_empty() {
            SmolStr::new(name)
        } else {
            format_smolstr!("{}.{name}", around.path)
        };
        let prefix = match &entry.value.import_alias {
            Some(alias) => format_smolstr!("{}{alias}__", around.prefix),
            None => around.prefix.clone(),
        };
        let mut steps = around.steps.clone();
        steps.push(u32::try_from(index).unwrap_or(u32::MAX));
        stack.push((RoomAt { path, prefix, steps }, entry));
    }
}

/// The entry of a room.
pub(super) fn entry<'a>(manifest: &'a Manifest, at: &RoomAt) -> Option<&'a MapEntry<Shared<Room>>> {
    let (last, way) = at.steps.split_last()?;
    let mut states = manifest.states.as_ref();
    for step in way {
        states = states?.entries.get(*step as usize)?.value.states.as_ref();
    }
    states?.entries.get(*last as usize)
}

/// The entry of a room, to be changed; whatever shares it gets its own copy.
pub(super) fn entry_mut<'a>(manifest: &'a mut Manifest, at: &RoomAt) -> Option<&'a mut MapEntry<Shared<Room>>> {
    let (last, way) = at.steps.split_last()?;
    let mut states = manifest.states.as_mut();
    for step in way {
        let entry = states?.value.entries.get_mut(*step as usize)?;
        states = Shared::make_mut(&mut entry.value).states.as_mut();
    }
    states?.value.entries.get_mut(*last as usize)
}

/// A room, to be changed.
pub(super) fn room_mut<'a>(manifest: &'a mut Manifest, at: &RoomAt) -> Option<&'a mut Room> {
    entry_mut(manifest, at).map(|e| Shared::make_mut(&mut e.value))
}
