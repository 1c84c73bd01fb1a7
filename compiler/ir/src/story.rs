//! The story as a whole, and the look-up of names.

use serde::{Deserialize, Serialize};
use smol_str::SmolStr;
use std::collections::HashMap;

use crate::agent::{Agent, Plugin, Provider};
use crate::arc::Arc;
use crate::arena::{AgentId, ArcId, Arena, ExprId, HostId, IntentId, OperationId, StateId, TemplateId, WorldKeyId};
use crate::code::{Expr, Template};
use crate::intent::Intent;
use crate::is_default;
use crate::policy::{
    Decider, Exit, Host, Interface, MetaMode, OffPath, Operation, Prompts, Proposal, Routing, Wrapper,
};
use crate::provenance::Provenance;
use crate::state::State;
use crate::world::WorldKey;

/// The version of the stored form. Reading another one is an error ([`crate::ReadError::Version`]).
pub const VERSION: u32 = 1;

/// A compiled story.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Story {
    /// [`VERSION`] of the program that wrote it.
    pub version: u32,
    /// Metadata.
    pub app: App,
    /// The story's folder: base of relative paths, `views`, scripts.
    pub dir: SmolStr,
    /// Where a session begins; `None` when the story says so in a way that means nothing (`root: ""`).
    #[serde(default, skip_serializing_if = "is_default")]
    pub root: Option<StateId>,
    /// World keys, declared ones first.
    #[serde(default)]
    pub world: Arena<WorldKeyId, WorldKey>,
    /// Every definition of an intent, global ones first.
    #[serde(default)]
    pub intents: Arena<IntentId, Intent>,
    /// Rooms, parents before children.
    #[serde(default)]
    pub states: Arena<StateId, State>,
    /// Arms of all rooms.
    #[serde(default)]
    pub arcs: Arena<ArcId, Arc>,
    /// Host verbs, the allow-list first and in its order.
    #[serde(default)]
    pub hosts: Arena<HostId, Host>,
    /// Declared agents.
    #[serde(default)]
    pub agents: Arena<AgentId, Agent>,
    /// Operation policies.
    #[serde(default)]
    pub operations: Arena<OperationId, Operation>,
    /// Agent transports.
    #[serde(default)]
    pub plugins: Vec<Plugin>,
    /// Back-end profiles.
    #[serde(default)]
    pub providers: Vec<Provider>,
    /// Semantic routing.
    #[serde(default)]
    pub routing: Routing,
    /// Typed escape hatch.
    #[serde(default, skip_serializing_if = "is_default")]
    pub off_path: Option<OffPath>,
    /// `/meta` conversations.
    #[serde(default, skip_serializing_if = "is_default")]
    pub meta_modes: Vec<MetaMode>,
    /// Engine-driven decider.
    #[serde(default, skip_serializing_if = "is_default")]
    pub decider: Option<Decider>,
    /// Prompt search roots.
    #[serde(default, skip_serializing_if = "is_default")]
    pub prompts: Prompts,
    /// Kinds of proposals.
    #[serde(default, skip_serializing_if = "is_default")]
    pub proposals: Vec<Proposal>,
    /// Host interfaces.
    #[serde(default, skip_serializing_if = "is_default")]
    pub interfaces: Vec<Interface>,
    /// Ways out.
    #[serde(default, skip_serializing_if = "is_default")]
    pub exits: Vec<Exit>,
    /// Imports of the root.
    #[serde(default, skip_serializing_if = "is_default")]
    pub wrappers: Vec<Wrapper>,
    /// Manifests that were read, canonical, the root first: script containment, watching.
    #[serde(default, skip_serializing_if = "is_default")]
    pub manifests: Vec<SmolStr>,
    /// Bare expressions.
    #[serde(default)]
    pub exprs: Arena<ExprId, Expr>,
    /// Templates.
    #[serde(default)]
    pub templates: Arena<TemplateId, Template>,
    /// Where everything came from.
    #[serde(default)]
    pub provenance: Provenance,
}

/// Metadata of a story.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct App {
    /// Application id.
    pub id: SmolStr,
    /// Version as written.
    #[serde(default, skip_serializing_if = "is_default")]
    pub version: SmolStr,
    /// Shown.
    #[serde(default, skip_serializing_if = "is_default")]
    pub title: SmolStr,
    /// Shown.
    #[serde(default, skip_serializing_if = "is_default")]
    pub author: SmolStr,
    /// Shown.
    #[serde(default, skip_serializing_if = "is_default")]
    pub license: SmolStr,
    /// Project text for every agent, in the view language.
    #[serde(default, skip_serializing_if = "is_default")]
    pub context: SmolStr,
    /// The same from a file. Without either an engine tries `prompts/_project.md`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub context_path: SmolStr,
}

impl Default for Story {
    fn default() -> Self {
        Self {
            version: VERSION,
            app: App::default(),
            dir: SmolStr::default(),
            root: None,
            world: Arena::default(),
            intents: Arena::default(),
            states: Arena::default(),
            arcs: Arena::default(),
            hosts: Arena::default(),
            agents: Arena::default(),
            operations: Arena::default(),
            plugins: Vec::new(),
            providers: Vec::new(),
            routing: Routing::default(),
            off_path: None,
            meta_modes: Vec::new(),
            decider: None,
            prompts: Prompts::default(),
            proposals: Vec::new(),
            interfaces: Vec::new(),
            exits: Vec::new(),
            wrappers: Vec::new(),
            manifests: Vec::new(),
            exprs: Arena::default(),
            templates: Arena::default(),
            provenance: Provenance::default(),
        }
    }
}

impl Story {
    /// A state and those around it, innermost first. Ends also for a story whose parents were tampered with: reading
    /// one checks that a parent comes before its children.
    pub fn chain(&self, state: StateId) -> impl Iterator<Item = (StateId, &State)> {
        let at = |id: StateId| self.states.get(id).map(|s| (id, s));
        std::iter::successors(at(state), move |(_, s)| at(s.parent?))
    }

    /// The regions of a parallel state in the order in which an engine looks at them: by name.
    #[must_use]
    pub fn regions(&self, state: StateId) -> Vec<StateId> {
        let mut regions = self.states.get(state).map(|s| s.children.clone()).unwrap_or_default();
        regions.sort_by(|a, b| self.path(*a).cmp(self.path(*b)));
        regions
    }

    /// The child of a state by its own name.
    #[must_use]
    pub fn child(&self, state: StateId, name: &str) -> Option<StateId> {
        let children = &self.states.get(state)?.children;
        children
            .iter()
            .copied()
            .find(|c| self.states.get(*c).is_some_and(|s| s.name() == name))
    }

    /// The path of a state; empty for an id of another story.
    #[must_use]
    pub fn path(&self, state: StateId) -> &str {
        self.states.get(state).map_or("", |s| s.path.as_str())
    }

    /// The definition of an intent as a turn sees it: the state's own, an ancestor's, the global one (`machine` 5).
    ///
    /// Looks through the definitions of the chain; [`Names::intent`] adds the global table without a search.
    #[must_use]
    pub fn local_intent(&self, state: StateId, name: &str) -> Option<IntentId> {
        self.chain(state)
            .flat_map(|(_, s)| s.intents.iter().copied())
            .find(|id| self.intents.get(*id).is_some_and(|i| i.name == name))
    }

    /// The final name of an intent that is spelt as inside an import: the first alias table on the way outwards that
    /// knows it (`imports` 12.1).
    #[must_use]
    pub fn resolve_alias<'a>(&'a self, state: StateId, name: &'a str) -> &'a str {
        let found = self
            .chain(state)
            .flat_map(|(_, s)| s.intent_aliases.iter())
            .find(|(written, _)| written == name);
        found.map_or(name, |(_, last)| last.as_str())
    }

    /// Whether the allow-list of verbs is in force: it is not when it is empty.
    #[must_use]
    pub fn checks_hosts(&self) -> bool {
        self.hosts.iter().any(|h| h.allowed)
    }
}

/// Names to ids. Built once from a story; not stored with it.
#[derive(Clone, Debug, Default)]
pub struct Names {
    states: HashMap<SmolStr, StateId>,
    intents: HashMap<SmolStr, IntentId>,
    world: HashMap<SmolStr, WorldKeyId>,
    agents: HashMap<SmolStr, AgentId>,
    hosts: HashMap<SmolStr, HostId>,
    operations: HashMap<SmolStr, OperationId>,
}

impl Names {
    /// The names of a story.
    #[must_use]
    pub fn new(story: &Story) -> Self {
        Self {
            states: story.states.pairs().map(|(id, s)| (s.path.clone(), id)).collect(),
            intents: story
                .intents
                .pairs()
                .filter(|(_, i)| i.scope.is_none())
                .map(|(id, i)| (i.name.clone(), id))
                .collect(),
            world: story.world.pairs().map(|(id, w)| (w.name.clone(), id)).collect(),
            agents: story.agents.pairs().map(|(id, a)| (a.name.clone(), id)).collect(),
            hosts: story.hosts.pairs().map(|(id, h)| (h.name.clone(), id)).collect(),
            operations: story.operations.pairs().map(|(id, o)| (o.id.clone(), id)).collect(),
        }
    }

    /// A state by its dotted path, bodiless ones included.
    #[must_use]
    pub fn state(&self, path: &str) -> Option<StateId> {
        self.states.get(path).copied()
    }

    /// A global intent.
    #[must_use]
    pub fn global_intent(&self, name: &str) -> Option<IntentId> {
        self.intents.get(name).copied()
    }

    /// The definition of an intent as a turn in `state` sees it: local from the inside out, then global.
    #[must_use]
    pub fn intent(&self, story: &Story, state: StateId, name: &str) -> Option<IntentId> {
        story.local_intent(state, name).or_else(|| self.global_intent(name))
    }

    /// A world key.
    #[must_use]
    pub fn world_key(&self, name: &str) -> Option<WorldKeyId> {
        self.world.get(name).copied()
    }

    /// A declared agent.
    #[must_use]
    pub fn agent(&self, name: &str) -> Option<AgentId> {
        self.agents.get(name).copied()
    }

    /// A host verb.
    #[must_use]
    pub fn host(&self, name: &str) -> Option<HostId> {
        self.hosts.get(name).copied()
    }

    /// An operation policy.
    #[must_use]
    pub fn operation(&self, id: &str) -> Option<OperationId> {
        self.operations.get(id).copied()
    }
}
