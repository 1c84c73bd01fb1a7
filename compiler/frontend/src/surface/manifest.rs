//! The manifest: the top level of a story file (`language` 3.1, 3.2).

use std::sync::Arc as Shared;

use serde_json::Value as Json;

use kitsoki_syntax::{NodeId, NodeKind, Span};

use super::agent::{Agent, Plugin, Provider, Toolbox};
use super::decl::Surface;
use super::decode::Decoder;
use super::import::{Exit, Exports, Import, Interface, PhaseTemplate, Phases};
use super::intent::{Intent, WorldVar};
use super::policy::{Decider, MetaMode, OffPath, Operation, Prompts, Proposal, Routing};
use super::room::Room;
use super::schema::Schema;
use super::text::{List, Map, Text};
use super::value::{Any, AnyKind};

decl! {
    /// A whole file: a story's manifest or a file that it includes.
    pub struct Manifest("a story") {
        /// Metadata.
        "app" => app: App,
        /// Where the story begins.
        "root" => root: Root,
        /// Rooms by name.
        "states" => states: Map<Shared<Room>>,
        /// World variables.
        "world" => world: Map<WorldVar>,
        /// Global intents.
        "intents" => intents: Map<Intent>,
        /// Allowed host verbs; empty means no check.
        "hosts" => hosts: List<Text>,
        /// Glob patterns of further files.
        "include" => include: List<Text>,
        /// Agents.
        "agents" => agents: Map<Agent>,
        /// Named tool lists.
        "toolboxes" => toolboxes: Map<Toolbox>,
        /// Agent transports.
        "agent_plugins" => agent_plugins: Map<Plugin>,
        /// Back-end profiles.
        "providers" => providers: Map<Provider>,
        /// Operation policies.
        "operations" => operations: Map<Operation>,
        /// Typed escape hatch.
        "off_path" => off_path: OffPath,
        /// `/meta` conversations.
        "meta_modes" => meta_modes: Map<MetaMode>,
        /// Engine-driven decider.
        "decider" => decider: Decider,
        /// Semantic routing.
        "routing" => routing: Routing,
        /// Prompt search roots.
        "prompts" => prompts: Prompts,
        /// Draft, refine, execute.
        "proposals" => proposals: Map<Proposal>,
        /// Ways out for an importer.
        "exits" => exits: Map<Exit>,
        /// What an importer may lift.
        "exports" => exports: Exports,
        /// Composed stories.
        "imports" => imports: Map<Import>,
        /// Named capabilities.
        "host_interfaces" => host_interfaces: Map<Interface>,
        /// Phase templates.
        "phase_templates" => phase_templates: Map<PhaseTemplate>,
        /// Phases.
        "phases" => phases: Phases,
        /// Intents of every `<id>_awaiting_reply` room.
        "checkpoint_intents" => checkpoint_intents: Map<Intent>,
    }
}

decl! {
    /// `app`.
    pub struct App("an app block") {
        /// Application id.
        "id" => id: Text,
        /// Version.
        "version" => version: Text,
        /// Shown.
        "title" => title: Text,
        /// Shown.
        "author" => author: Text,
        /// Shown.
        "license" => license: Text,
        /// Project text for every agent.
        "context" => context: Text,
        /// The same from a file.
        "context_path" => context_path: Text,
    }
}

/// `root`: a name; a mapping is accepted and ignored; anything else is wrong (`language` 3.1).
#[derive(Clone, PartialEq, Debug)]
pub enum Root {
    /// The initial state.
    Name(Text),
    /// The inline form, which means nothing.
    Inline(Any),
    /// Neither.
    Wrong(Any),
}

impl Root {
    /// The name, when it is one.
    #[must_use]
    pub fn name(&self) -> Option<&Text> {
        match self {
            Root::Name(text) => Some(text),
            _ => None,
        }
    }

    /// Where it stands.
    #[must_use]
    pub fn span(&self) -> Span {
        match self {
            Root::Name(text) => text.span,
            Root::Inline(any) | Root::Wrong(any) => any.span,
        }
    }
}

impl Surface for Root {
    fn decode(cx: &mut Decoder<'_>, node: NodeId, _head: Span) -> Option<Self> {
        if matches!(cx.tree().node(node).kind, NodeKind::Error) {
            return None;
        }
        let any = cx.any(node);
        Some(match &any.kind {
            AnyKind::Text(text) => Root::Name(text.clone()),
            AnyKind::Map(_) => Root::Inline(any),
            _ => Root::Wrong(any),
        })
    }

    fn null(span: Span, head: Span) -> Option<Self> {
        Some(Root::Wrong(Any::empty(span, head)))
    }

    fn empty(span: Span, head: Span) -> Self {
        Root::Wrong(Any::empty(span, head))
    }

    fn emit(&self) -> Json {
        match self {
            Root::Name(text) => Json::String(text.text.to_string()),
            Root::Inline(any) | Root::Wrong(any) => any.to_json(),
        }
    }

    fn schema(schema: &mut Schema) -> Json {
        let _ = schema;
        serde_json::json!({ "type": ["string", "object"] })
    }
}
