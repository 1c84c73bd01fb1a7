//! Rules about calls of agent verbs: what a verb needs, what it must not have (`language` 4.5 D74-D82, 4.6 W5).

mod codeact_capabilities_invalid;
mod grammar_schema_unreadable;
mod grammar_subset;
mod read_verb_mutation_tool;
mod sandbox;
mod sandbox_not_mapping;
mod sandbox_on_codeact;
mod sandbox_paths_invalid;
mod sandbox_timeout_invalid;
mod sandbox_word_unknown;
mod task_acceptance_missing;
mod task_network_tool;
mod validator_not_read_only;

use kitsoki_diagnostics::{Diagnostic, Rule};

use super::calls::Call;
use super::cx::StoryCx;

/// The rules of this group.
pub const RULES: &[&Rule] = &[
    &codeact_capabilities_invalid::RULE,
    &grammar_schema_unreadable::RULE,
    &grammar_subset::RULE,
    &read_verb_mutation_tool::RULE,
    &sandbox_not_mapping::RULE,
    &sandbox_on_codeact::RULE,
    &sandbox_paths_invalid::RULE,
    &sandbox_timeout_invalid::RULE,
    &sandbox_word_unknown::RULE,
    &task_acceptance_missing::RULE,
    &task_network_tool::RULE,
    &validator_not_read_only::RULE,
];

/// Checks every call of an agent verb.
pub fn check(cx: &StoryCx<'_>, calls: &[Call<'_>], out: &mut Vec<Diagnostic>) {
    let mut agents = read_verb_mutation_tool::Seen::default();
    let mut network = task_network_tool::Seen::default();
    for call in calls {
        let Some(verb) = call.agent_verb() else { continue };
        sandbox::check(cx, call, verb, out);
        match verb {
            "codeact" => codeact_capabilities_invalid::check(cx, call, out),
            "task" => {
                task_acceptance_missing::check(cx, call, out);
                network.check(cx, call, out);
            }
            "ask" | "decide" | "extract" => agents.check(cx, call, verb, out),
            _ => {}
        }
        if verb == "decide" || verb == "extract" {
            validator_not_read_only::check(cx, call, out);
        }
        if verb == "decide" {
            grammar_subset::check(cx, call, out);
        }
    }
}
