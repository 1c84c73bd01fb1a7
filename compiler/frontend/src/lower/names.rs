//! Ids of rooms and agents, handed out before anything refers to them; ids of world keys and verbs, handed out on first
//! use after the declared ones.

use std::sync::Arc as Shared;

use kitsoki_ir::{AgentId, HostId, Id, IntentId, OperationId, StateId, WorldKeyId};
use rustc_hash::FxHashMap;
use smol_str::{SmolStr, format_smolstr};

use crate::rules::cx::resolve_target;
use crate::story::Loaded;
use crate::surface::{MapEntry, Room};

/// Names to ids.
#[derive(Default)]
pub(super) struct Names {
    states: FxHashMap<SmolStr, StateId>,
    /// The room around each room.
    pub parents: Vec<Option<StateId>>,
    /// Local definitions of intents.
    pub local_intents: FxHashMap<(StateId, SmolStr), IntentId>,
    pub world: FxHashMap<SmolStr, WorldKeyId>,
    pub intents: FxHashMap<SmolStr, IntentId>,
    pub agents: FxHashMap<SmolStr, AgentId>,
    pub hosts: FxHashMap<SmolStr, HostId>,
    pub operations: FxHashMap<SmolStr, OperationId>,
}

/// A room on the way: its entry, path and parent.
pub(super) struct RoomAt<'a> {
    pub path: SmolStr,
    pub entry: &'a MapEntry<Shared<Room>>,
    pub parent: Option<StateId>,
    /// Aliases of the import wrappers around it, its own included.
    pub imports: Vec<SmolStr>,
}

impl Names {
    pub fn new(story: &Loaded) -> Self {
        let mut names = Self::default();
        for (index, at) in rooms(story).into_iter().enumerate() {
            names.states.insert(at.path, StateId::at(index));
            names.parents.push(at.parent);
        }
        let agents = story.manifest.agents.iter().flat_map(|a| a.entries.iter());
        names.agents = agents
            .enumerate()
            .map(|(i, e)| (e.name.text.clone(), AgentId::at(i)))
            .collect();
        let operations = story.manifest.operations.iter().flat_map(|o| o.entries.iter());
        names.operations = operations
            .enumerate()
            .map(|(i, e)| (e.name.text.clone(), OperationId::at(i)))
            .collect();
        names
    }

    /// A room by its path.
    pub fn state(&self, path: &str) -> Option<StateId> {
        self.states.get(path).copied()
    }

    /// A room that a target leads to from `owner`; `Err` with the resolved name when there is none.
    pub fn target(&self, owner: &str, target: &str) -> Result<StateId, SmolStr> {
        let path = resolve_target(owner, target).unwrap_or_else(|| target.into());
        self.state(&path).ok_or(path)
    }
}

/// Every room, depth first in the order of declaration: the order of their ids.
pub(super) fn rooms(story: &Loaded) -> Vec<RoomAt<'_>> {
    let mut out: Vec<RoomAt<'_>> = Vec::new();
    let mut stack: Vec<RoomAt<'_>> = Vec::new();
    for entry in story.manifest.states.iter().flat_map(|s| s.entries.iter()).rev() {
        stack.push(RoomAt {
            path: entry.name.text.clone(),
            entry,
            parent: None,
            imports: alias(entry),
        });
    }
    while let Some(at) = stack.pop() {
        let id = StateId::at(out.len());
        for entry in at.entry.value.states.iter().flat_map(|s| s.entries.iter()).rev() {
            let mut imports = at.imports.clone();
            imports.extend(alias(entry));
            let path = format_smolstr!("{}.{}", at.path, entry.name.as_str());
            stack.push(RoomAt {
                path,
                entry,
                parent: Some(id),
                imports,
            });
        }
        out.push(at);
    }
    out
}

fn alias(entry: &MapEntry<Shared<Room>>) -> Vec<SmolStr> {
    entry.value.import_alias.iter().cloned().collect()
}
