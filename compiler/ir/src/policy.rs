//! Story-wide policies: operations, off-path, meta modes, decider, routing, prompts, proposals, interfaces, exits
//! (`language` 3.15-3.23).

use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use crate::agent::{AgentRef, EffectClass};
use crate::arena::{HostId, OriginId, StateId};
use crate::effect::Effect;
use crate::is_default;
use crate::value::Value;

/// A host verb that the story calls or allows.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Host {
    /// Dotted name.
    pub name: SmolStr,
    /// It stands in the allow-list. Without any allowed verb nothing is checked ([`crate::Story::checks_hosts`]).
    #[serde(default, skip_serializing_if = "is_default")]
    pub allowed: bool,
    /// The script behind a bound interface (`imports` 9.3), absolute.
    #[serde(default, skip_serializing_if = "is_default")]
    pub script: Option<SmolStr>,
}

/// An operation policy.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Operation {
    /// Where it came from.
    pub at: OriginId,
    /// Final name.
    pub id: SmolStr,
    /// Shown.
    #[serde(default, skip_serializing_if = "is_default")]
    pub title: SmolStr,
    /// `interactive`, `autonomous` or `supervised`.
    pub mode: SmolStr,
    /// `one-shot`, `staged` or empty.
    #[serde(default, skip_serializing_if = "is_default")]
    pub execution_mode: SmolStr,
    /// Run as a job.
    #[serde(default, skip_serializing_if = "is_default")]
    pub run_in_background: bool,
    /// Reasons to stop.
    #[serde(default, skip_serializing_if = "is_default")]
    pub stop_on: Vec<SmolStr>,
    /// Reasons to pause.
    #[serde(default, skip_serializing_if = "is_default")]
    pub pause_on: Vec<SmolStr>,
    /// World key of the result; the story need not declare it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub terminal_artifact: SmolStr,
    /// World keys whose presence ends a phase, as written: see [`Operation::phase_keys`].
    #[serde(default, skip_serializing_if = "is_default")]
    pub phases: Vec<SmolStr>,
}

impl Operation {
    /// The keys of the phases in order: trimmed, none blank, each once.
    #[must_use]
    pub fn phase_keys(&self) -> Vec<&str> {
        let mut keys: Vec<&str> = Vec::new();
        for key in self.phases.iter().map(|k| k.trim()) {
            if !key.is_empty() && !keys.contains(&key) {
                keys.push(key);
            }
        }
        keys
    }
}

/// The typed escape hatch.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OffPath {
    /// Where it came from.
    pub at: OriginId,
    /// Command that enters.
    pub trigger: SmolStr,
    /// Command that returns.
    #[serde(rename = "return")]
    pub ret: SmolStr,
    /// Shown.
    #[serde(default, skip_serializing_if = "is_default")]
    pub banner: SmolStr,
    /// Persona; wins over the agent.
    #[serde(default, skip_serializing_if = "is_default")]
    pub persona: SmolStr,
    /// Agent.
    #[serde(default, skip_serializing_if = "is_default")]
    pub agent: Option<AgentRef>,
}

/// A `/meta` conversation.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MetaMode {
    /// Where it came from.
    pub at: OriginId,
    /// Key, `group.trigger` or a single word.
    pub key: SmolStr,
    /// Group.
    pub group: SmolStr,
    /// Verb.
    pub trigger: SmolStr,
    /// Agent.
    pub agent: AgentRef,
    /// The group's default.
    #[serde(default, skip_serializing_if = "is_default")]
    pub default: bool,
    /// Shown.
    #[serde(default, skip_serializing_if = "is_default")]
    pub label: SmolStr,
    /// Shown.
    #[serde(default, skip_serializing_if = "is_default")]
    pub banner: SmolStr,
    /// Forget the conversation (`persist: false`).
    #[serde(default, skip_serializing_if = "is_default")]
    pub transient: bool,
    /// Working directory with `$NAME` and `${NAME}` in place.
    #[serde(default, skip_serializing_if = "is_default")]
    pub cwd: SmolStr,
    /// Tools.
    #[serde(default, skip_serializing_if = "is_default")]
    pub tools: Vec<SmolStr>,
    /// Shown on return.
    #[serde(default, skip_serializing_if = "is_default")]
    pub return_message: SmolStr,
    /// Intent of the return.
    pub return_intent: SmolStr,
}

/// The engine-driven decider of gates.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decider {
    /// Where it came from.
    pub at: OriginId,
    /// Agent.
    pub agent: AgentRef,
    /// Schema file.
    pub schema: SmolStr,
    /// Prompt file.
    #[serde(default, skip_serializing_if = "is_default")]
    pub prompt: SmolStr,
    /// Confidence threshold; 0 and less mean 0.8.
    #[serde(default, skip_serializing_if = "is_default")]
    pub threshold: f64,
}

/// Semantic routing. Defaults are filled in; [`Routing::written`] says whether the author wrote the block.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Routing {
    /// The block exists; an absent one behaves like one with defaults.
    pub written: bool,
    /// On or off.
    pub enabled: bool,
    /// Take a semantic match from here.
    pub semantic_high_bar: f64,
    /// Ask from here.
    pub semantic_mid_bar: f64,
    /// Turn cache.
    pub cache_enabled: bool,
    /// Age limit in milliseconds.
    pub cache_max_age_ms: u64,
    /// Further stop words.
    #[serde(default, skip_serializing_if = "is_default")]
    pub stopwords_extra: Vec<SmolStr>,
    /// Size limit.
    pub cache_cap: i64,
    /// Share to drop.
    pub cache_trim_fraction: f64,
    /// Failures before an entry is dropped.
    pub revalidate_strikes: i64,
    /// Older entries count less.
    pub confidence_decay: bool,
    /// Ask a model when nothing matches.
    pub extract_llm_on_no_match: bool,
    /// Which agent; empty: `agent.local`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub extract_llm_agent: SmolStr,
    /// The arc that was copied into other rooms: room and intent. Also set for the implicit form.
    #[serde(default, skip_serializing_if = "is_default")]
    pub free_form_fallback: Option<Fallback>,
    /// Embedding tier.
    #[serde(default, skip_serializing_if = "is_default")]
    pub embedding: Option<Embedding>,
}

impl Default for Routing {
    /// The defaults of `language` 3.19.
    fn default() -> Self {
        Self {
            written: false,
            enabled: true,
            semantic_high_bar: 0.80,
            semantic_mid_bar: 0.65,
            cache_enabled: true,
            cache_max_age_ms: 720 * 3_600_000,
            stopwords_extra: Vec::new(),
            cache_cap: 10_000,
            cache_trim_fraction: 0.10,
            revalidate_strikes: 3,
            confidence_decay: false,
            extract_llm_on_no_match: false,
            extract_llm_agent: SmolStr::default(),
            free_form_fallback: None,
            embedding: None,
        }
    }
}

/// The source of the free-form fallback.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fallback {
    /// The room whose arc is copied.
    pub state: StateId,
    /// The intent.
    pub intent: SmolStr,
    /// Nobody wrote it: the names `landing` and `work` caused it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub implicit: bool,
}

/// The embedding tier of routing; defaults filled in.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Embedding {
    /// Address.
    #[serde(default, skip_serializing_if = "is_default")]
    pub endpoint: SmolStr,
    /// Model.
    pub model: SmolStr,
    /// Cache folder.
    pub cache_dir: SmolStr,
    /// Take a match from here.
    pub confident_bar: f64,
    /// Lead over the second.
    pub margin: f64,
}

/// Where prompts are looked for.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prompts {
    /// Search roots.
    #[serde(default, skip_serializing_if = "is_default")]
    pub shared: Vec<SmolStr>,
    /// Overlay root.
    #[serde(default, skip_serializing_if = "is_default")]
    pub overlay: SmolStr,
}

/// A kind of proposal: draft, refine, execute.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Proposal {
    /// Where it came from.
    pub at: OriginId,
    /// Final name.
    pub name: SmolStr,
    /// Field and type word.
    #[serde(default, skip_serializing_if = "is_default")]
    pub schema: Vec<(SmolStr, SmolStr)>,
    /// Prompt of the draft.
    #[serde(default, skip_serializing_if = "is_default")]
    pub draft_prompt: SmolStr,
    /// Prompt of the refinement.
    #[serde(default, skip_serializing_if = "is_default")]
    pub refine_prompt: SmolStr,
    /// What happens on acceptance.
    #[serde(default, skip_serializing_if = "is_default")]
    pub execute: Option<Execute>,
    /// Texts by step, in the view language.
    #[serde(default, skip_serializing_if = "is_default")]
    pub views: Vec<(SmolStr, SmolStr)>,
    /// Guard for acceptance without asking, as text: nothing checks it at load.
    #[serde(default, skip_serializing_if = "is_default")]
    pub auto_accept_if: SmolStr,
    /// Always ask.
    #[serde(default, skip_serializing_if = "is_default")]
    pub require_confirm: bool,
}

/// What happens when a proposal is accepted.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Execute {
    /// Host verb; `None` when none was written.
    #[serde(default, skip_serializing_if = "is_default")]
    pub host: Option<HostId>,
    /// Arguments, templates of the effect language inside.
    #[serde(default, skip_serializing_if = "is_default")]
    pub with: Vec<(SmolStr, Value)>,
    /// May run again.
    #[serde(default, skip_serializing_if = "is_default")]
    pub repeatable: bool,
    /// `stay`, `back` or a room.
    #[serde(default, skip_serializing_if = "is_default")]
    pub on_success: SmolStr,
    /// Run as a job.
    #[serde(default, skip_serializing_if = "is_default")]
    pub background: bool,
    /// Run when the job ends.
    #[serde(default, skip_serializing_if = "is_default")]
    pub on_complete: Vec<Effect>,
}

/// A host interface: named capabilities with a default handler. Calls are already resolved to verbs.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Interface {
    /// Where it came from.
    pub at: OriginId,
    /// Final name.
    pub name: SmolStr,
    /// Documentation.
    #[serde(default, skip_serializing_if = "is_default")]
    pub description: SmolStr,
    /// Handler.
    pub handler: SmolStr,
    /// Operations.
    #[serde(default, skip_serializing_if = "is_default")]
    pub operations: Vec<InterfaceOperation>,
}

/// One operation of an interface.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InterfaceOperation {
    /// Name.
    pub name: SmolStr,
    /// Input field and its type.
    #[serde(default, skip_serializing_if = "is_default")]
    pub input: Vec<(SmolStr, Value)>,
    /// Output field and its type.
    #[serde(default, skip_serializing_if = "is_default")]
    pub output: Vec<(SmolStr, Value)>,
    /// Declared class.
    #[serde(default, skip_serializing_if = "is_default")]
    pub effect: Option<EffectClass>,
    /// The same input need not give the same output (`deterministic: false`).
    #[serde(default, skip_serializing_if = "is_default")]
    pub nondeterministic: bool,
}

/// A way out for an importer.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exit {
    /// Where it came from.
    pub at: OriginId,
    /// Name.
    pub name: SmolStr,
    /// Documentation.
    #[serde(default, skip_serializing_if = "is_default")]
    pub description: SmolStr,
    /// Keys that every arc into the exit must set.
    #[serde(default, skip_serializing_if = "is_default")]
    pub requires: Vec<SmolStr>,
}

/// What survives of an import at the top level.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wrapper {
    /// The alias: name of the wrapper room.
    pub alias: SmolStr,
    /// The child's state that is entered.
    pub entry: SmolStr,
    /// The child's manifest.
    pub manifest: SmolStr,
    /// The child's folder: its `views` serve rooms below the wrapper.
    pub dir: SmolStr,
}
