//! Story-wide policies as written: operations, off-path, meta modes, decider, routing, prompts, proposals
//! (`language` 3.15-3.21).

use super::effect::Effect;
use super::text::{Flag, Float, Int, List, Map, Text};
use super::value::Any;

decl! {
    /// `operations.<id>`.
    pub struct Operation("an operation policy") {
        /// Shown.
        "title" => title: Text,
        /// `interactive`, `autonomous` or `supervised`.
        "mode" => mode: Text,
        /// `one-shot` or `staged`.
        "execution_mode" => execution_mode: Text,
        /// Run as a job.
        "run_in_background" => run_in_background: Flag,
        /// Reasons to stop.
        "stop_on" => stop_on: List<Text>,
        /// Reasons to pause.
        "pause_on" => pause_on: List<Text>,
        /// World key of the result.
        "terminal_artifact" => terminal_artifact: Text,
        /// Where summaries come from.
        "phase_summary" => phase_summary: PhaseSummary,
    }
}

decl! {
    /// `operations.<id>.phase_summary`.
    pub struct PhaseSummary("a phase summary") {
        /// World keys.
        "from" => from: List<Text>,
    }
}

decl! {
    /// `off_path`: the typed escape hatch.
    pub struct OffPath("an off-path") {
        /// Command that enters.
        "trigger" => trigger: Text,
        /// Command that returns.
        "return" => ret: Text,
        /// Shown.
        "banner" => banner: Text,
        /// Persona; wins over the agent.
        "persona" => persona: Text,
        /// Agent.
        "agent" => agent: Text,
    }
}

decl! {
    /// `meta_modes.<key>`.
    pub struct MetaMode("a meta mode") {
        /// Verb.
        "trigger" => trigger: Text,
        /// Agent.
        "agent" => agent: Text,
        /// Group, from the key.
        "group" => group: Text,
        /// The group's default.
        "default" => default: Flag,
        /// Shown.
        "label" => label: Text,
        /// Shown.
        "banner" => banner: Text,
        /// Keep the conversation.
        "persist" => persist: Flag,
        /// Working directory.
        "cwd" => cwd: Text,
        /// Tools.
        "tools" => tools: List<Text>,
        /// How it returns.
        "return" => ret: MetaReturn,
    }
}

decl! {
    /// `meta_modes.<key>.return`.
    pub struct MetaReturn("a meta mode's return") {
        /// Shown.
        "message" => message: Text,
        /// Intent.
        "intent" => intent: Text,
    }
}

decl! {
    /// `decider`.
    pub struct Decider("a decider") {
        /// Agent.
        "agent" => agent: Text,
        /// Schema file.
        "schema" => schema: Text,
        /// Prompt file.
        "prompt" => prompt: Text,
        /// Confidence threshold, 0 to 1.
        "threshold" => threshold: Float,
    }
}

decl! {
    /// `routing`.
    pub struct Routing("a routing block") {
        /// On or off.
        "enabled" => enabled: Flag,
        /// Take a semantic match from here.
        "semantic_high_bar" => semantic_high_bar: Float,
        /// Ask from here.
        "semantic_mid_bar" => semantic_mid_bar: Float,
        /// Turn cache.
        "cache_enabled" => cache_enabled: Flag,
        /// Age limit, a duration.
        "cache_max_age" => cache_max_age: Text,
        /// Further stop words.
        "stopwords_extra" => stopwords_extra: List<Text>,
        /// Size limit.
        "cache_cap" => cache_cap: Int,
        /// Share to drop.
        "cache_trim_fraction" => cache_trim_fraction: Float,
        /// Failures before an entry is dropped.
        "revalidate_strikes" => revalidate_strikes: Int,
        /// Older entries count less.
        "confidence_decay" => confidence_decay: Flag,
        /// Ask a model when nothing matches.
        "extract_llm_on_no_match" => extract_llm_on_no_match: Flag,
        /// Which agent.
        "extract_llm_agent" => extract_llm_agent: Text,
        /// Where free text goes.
        "free_form_fallback" => free_form_fallback: FreeFormFallback,
        /// Embedding tier.
        "embedding" => embedding: Embedding,
    }
}

decl! {
    /// `routing.free_form_fallback`.
    pub struct FreeFormFallback("a free-form fallback") {
        /// Room.
        "state" => state: Text,
        /// Intent.
        "intent" => intent: Text,
    }
}

decl! {
    /// `routing.embedding`.
    pub struct Embedding("an embedding block") {
        /// Address.
        "endpoint" => endpoint: Text,
        /// Model.
        "model" => model: Text,
        /// Cache folder.
        "cache_dir" => cache_dir: Text,
        /// Take a match from here.
        "confident_bar" => confident_bar: Float,
        /// Lead over the second.
        "margin" => margin: Float,
    }
}

decl! {
    /// `prompts`.
    pub struct Prompts("a prompts block") {
        /// Search roots.
        "shared" => shared: List<Text>,
        /// Overlay root.
        "overlay" => overlay: Text,
    }
}

decl! {
    /// `proposals.<name>`.
    pub struct Proposal("a proposal") {
        /// Field -> type word.
        "schema" => schema: Map<Text>,
        /// Prompt of the draft.
        "draft" => draft: PromptRef,
        /// Prompt of the refinement.
        "refine" => refine: PromptRef,
        /// What happens on acceptance.
        "execute" => execute: Execute,
        /// Texts by step.
        "views" => views: Map<Text>,
        /// Acceptance policy.
        "policy" => policy: Policy,
    }
}

decl! {
    /// `proposals.<name>.draft` and `.refine`.
    pub struct PromptRef("a prompt block") {
        /// Prompt file.
        "prompt" => prompt: Text,
    }
}

decl! {
    /// `proposals.<name>.execute`.
    pub struct Execute("a proposal's `execute`") {
        /// Host verb.
        "invoke" => invoke: Text,
        /// Arguments.
        "with" => with: Map<Any>,
        /// May run again.
        "repeatable" => repeatable: Flag,
        /// `stay`, `back` or a room.
        "on_success" => on_success: Text,
        /// Run as a job.
        "background" => background: Flag,
        /// Run when the job ends.
        "on_complete" => on_complete: List<Effect>,
    }
}

decl! {
    /// `proposals.<name>.policy`.
    pub struct Policy("a proposal's policy") {
        /// Guard for acceptance without asking.
        "auto_accept_if" => auto_accept_if: Text,
        /// Always ask.
        "require_confirm" => require_confirm: Flag,
    }
}
