//! A loaded story: one manifest after its includes and imports, with what cannot stand in the manifest itself.
//!
//! The same type serves an imported child before it is folded and the root after every macro. The declarations are those
//! of [`crate::surface`]; made ones carry their [`Origin`](crate::surface::Origin).

use std::collections::BTreeMap;

use camino::Utf8PathBuf;
use kitsoki_diagnostics::Diagnostic;
use kitsoki_syntax::Span;
use smol_str::SmolStr;

use crate::db::SourceFile;
use crate::surface::Manifest;

/// One manifest with everything below it.
#[derive(Clone, PartialEq, Debug)]
pub struct Loaded {
    /// The manifest's file.
    pub file: SourceFile,
    /// Its folder: base of relative paths.
    pub dir: Utf8PathBuf,
    /// The declarations, in the manifest's own (flat) names.
    pub manifest: Manifest,
    /// Every file that was read, in the order of loading, without duplicates: manifest, includes, children.
    pub files: Vec<SourceFile>,
    /// Canonical paths of the manifests that were read (`imports` 12): script containment, watching.
    pub manifests: Vec<Utf8PathBuf>,
    /// One record per immediate import, in the order of declaration.
    pub wrappers: Vec<Wrapper>,
    /// Synthetic handler name -> absolute script (`imports` 9.3), from every layer.
    pub scripts: BTreeMap<SmolStr, Utf8PathBuf>,
    /// What is wrong so far: shapes, includes, agents, imports, phases.
    pub findings: Vec<Diagnostic>,
    /// Which name tables are known to be incomplete, because something that would fill them is broken.
    pub incomplete: Incomplete,
    /// How many names were folded, here and in every layer below: what the caps of the fold count.
    pub folded: usize,
}

/// What survives of one import (`imports` 12).
#[derive(Clone, PartialEq, Debug)]
pub struct Wrapper {
    /// The alias.
    pub alias: SmolStr,
    /// Place of the alias.
    pub alias_span: Span,
    /// The child's state that is entered.
    pub entry: SmolStr,
    /// Where the entry is chosen: `entry`, else the child's `root`.
    pub entry_span: Span,
    /// The child's manifest.
    pub manifest: Utf8PathBuf,
    /// The child's folder.
    pub dir: Utf8PathBuf,
    /// `false` when the child could not be folded: its names are unknown, nobody is blamed for using them.
    pub folded: bool,
}

/// Tables that lack names because of a fault that has been reported: rules must not report follow-ups from them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Incomplete {
    /// Rooms.
    pub states: bool,
    /// Intents.
    pub intents: bool,
    /// World keys.
    pub world: bool,
    /// Agents.
    pub agents: bool,
    /// Hosts and interfaces.
    pub hosts: bool,
    /// Operations.
    pub operations: bool,
    /// Any other table, and everything when a file has no tree.
    pub other: bool,
}

impl Incomplete {
    /// Nothing is known to be whole.
    #[must_use]
    pub fn all() -> Self {
        Self {
            states: true,
            intents: true,
            world: true,
            agents: true,
            hosts: true,
            operations: true,
            other: true,
        }
    }

    /// Adds what another part lacks.
    pub fn join(&mut self, other: &Self) {
        self.states |= other.states;
        self.intents |= other.intents;
        self.world |= other.world;
        self.agents |= other.agents;
        self.hosts |= other.hosts;
        self.operations |= other.operations;
        self.other |= other.other;
    }
}

/// The names that the engine owns: legal everywhere without declaration, never prefixed (`language` 3.3).
pub const RESERVED_WORLD_KEYS: [&str; 6] = [
    "last_error",
    "host_error",
    "write_mode_scope",
    "session_id",
    "operation_run",
    "operation_drafts",
];

/// World keys that the engine writes although they are not reserved (`language` 3.3, `imports` 15).
pub const ENGINE_WORLD_KEYS: [&str; 5] = [
    "session_cost_usd",
    "turn_cost_usd",
    "last_job_id",
    "last_job_status",
    "last_job_result",
];

/// Agents that exist without a declaration (`language` 3.11).
pub const BUILTIN_AGENTS: [&str; 9] = [
    "default-agent",
    "story-author",
    "kitsoki-engineer",
    "story-improver",
    "kitsoki-improver",
    "story-bug-reporter",
    "kitsoki-bug-reporter",
    "story-explainer",
    "kitsoki-explainer",
];
