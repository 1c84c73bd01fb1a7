//! Rules about agents and toolboxes; [`crate::package`] calls them while it resolves a file (`language` 4.1, 5).

pub(crate) mod agent_bash_needs_profile;
pub(crate) mod agent_cwd_unset_env;
pub(crate) mod agent_effect_deprecated;
pub(crate) mod agent_effect_mismatch;
pub(crate) mod agent_effect_too_low;
pub(crate) mod agent_effect_twice;
pub(crate) mod agent_effect_unknown;
pub(crate) mod agent_effort_unknown;
pub(crate) mod agent_null;
pub(crate) mod agent_permission_mode;
pub(crate) mod agent_prompt_both;
pub(crate) mod agent_prompt_missing;
pub(crate) mod agent_prompt_unreadable;
pub(crate) mod agent_token_budget;
pub(crate) mod agent_toolbox_and_tools;
pub(crate) mod agent_toolbox_undeclared;
pub(crate) mod tool_name_case;
pub(crate) mod toolbox_effect_mismatch;
pub(crate) mod toolbox_effect_unknown;
pub(crate) mod toolbox_null;
pub(crate) mod tools_add_without_toolbox;

use kitsoki_diagnostics::Rule;

pub(crate) use agent_bash_needs_profile::at as agent_bash_needs_profile;
pub(crate) use agent_cwd_unset_env::at as agent_cwd_unset_env;
pub(crate) use agent_effect_deprecated::at as agent_effect_deprecated;
pub(crate) use agent_effect_mismatch::at as agent_effect_mismatch;
pub(crate) use agent_effect_too_low::at as agent_effect_too_low;
pub(crate) use agent_effect_twice::at as agent_effect_twice;
pub(crate) use agent_effect_unknown::at as agent_effect_unknown;
pub(crate) use agent_effort_unknown::at as agent_effort_unknown;
pub(crate) use agent_null::at as agent_null;
pub(crate) use agent_permission_mode::at as agent_permission_mode;
pub(crate) use agent_prompt_both::at as agent_prompt_both;
pub(crate) use agent_prompt_missing::at as agent_prompt_missing;
pub(crate) use agent_prompt_unreadable::at as agent_prompt_unreadable;
pub(crate) use agent_toolbox_and_tools::at as agent_toolbox_and_tools;
pub(crate) use agent_toolbox_undeclared::at as agent_toolbox_undeclared;
pub(crate) use tool_name_case::at as tool_name_case;
pub(crate) use toolbox_effect_mismatch::at as toolbox_effect_mismatch;
pub(crate) use toolbox_effect_unknown::at as toolbox_effect_unknown;
pub(crate) use toolbox_null::at as toolbox_null;
pub(crate) use tools_add_without_toolbox::at as tools_add_without_toolbox;

/// The rules of this group.
pub const RULES: &[&Rule] = &[
    &agent_bash_needs_profile::RULE,
    &agent_cwd_unset_env::RULE,
    &agent_effect_deprecated::RULE,
    &agent_effect_mismatch::RULE,
    &agent_effect_too_low::RULE,
    &agent_effect_twice::RULE,
    &agent_effect_unknown::RULE,
    &agent_effort_unknown::RULE,
    &agent_null::RULE,
    &agent_permission_mode::RULE,
    &agent_prompt_both::RULE,
    &agent_prompt_missing::RULE,
    &agent_prompt_unreadable::RULE,
    &agent_token_budget::RULE,
    &agent_toolbox_and_tools::RULE,
    &agent_toolbox_undeclared::RULE,
    &tool_name_case::RULE,
    &toolbox_effect_mismatch::RULE,
    &toolbox_effect_unknown::RULE,
    &toolbox_null::RULE,
    &tools_add_without_toolbox::RULE,
];

use kitsoki_diagnostics::{Diagnostic, Fix, code};
use kitsoki_syntax::Span;

use super::words::{did_you_mean, list};
use crate::package::EffectClass;
pub(crate) use crate::package::Joined;
use crate::surface::Map;

/// The declared name that `name` is probably a slip of, with its place.
pub(crate) fn near<'a, T>(names: Option<&'a Map<T>>, name: &str) -> Option<(&'a str, Span)> {
    let names = names?;
    let word = did_you_mean(name, names.names())?;
    names.entry(word).map(|e| (e.name.as_str(), e.name.span))
}

/// Adds the nearest word, or the list when it is short.
fn offer(finding: Diagnostic, span: Span, word: &str, words: &[&str]) -> Diagnostic {
    match did_you_mean(word, words.iter().copied()) {
        Some(near) => finding
            .help(format!("change it to {}", code(near)))
            .fix(Fix::replace(span, near).title(format!("change it to {}", code(near)))),
        None if words.len() <= 8 => finding.help(format!("there are {}", list(words))),
        None => finding,
    }
}

fn unknown_class(finding: Diagnostic, span: Span, word: &str) -> Diagnostic {
    let finding = finding.message(format!("there is no effect class {}", code(word)));
    offer(finding, span, word, &EffectClass::WORDS)
}

/// Names the tool that makes the joined class what it is.
fn because(finding: Diagnostic, joined: &Joined) -> Diagnostic {
    match &joined.because {
        Some(tool) => finding.label(tool.span, format!("{} is {}", code(tool.as_str()), joined.class)),
        None => finding.note("it has no tools"),
    }
}
