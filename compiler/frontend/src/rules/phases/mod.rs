//! Rules about phases; the macro calls them while it expands (`macros` 2).

pub(crate) mod phase_budget_dead;
pub(crate) mod phase_budget_ignored;
pub(crate) mod phase_budget_not_positive;
pub(crate) mod phase_counter_undeclared;
pub(crate) mod phase_dropped_key;
pub(crate) mod phase_intents_not_merged;
pub(crate) mod phase_name_parameter_unknown;
pub(crate) mod phase_null;
pub(crate) mod phase_on_enter_invalid;
pub(crate) mod phase_parameter_missing;
pub(crate) mod phase_parameter_unknown;
pub(crate) mod phase_reference_unknown;
pub(crate) mod phase_template_null;
pub(crate) mod phase_template_unused;
pub(crate) mod phases_no_templates;
pub(crate) mod phases_template_missing;
pub(crate) mod phases_template_unknown;

use kitsoki_diagnostics::Rule;

pub(crate) use phase_budget_dead::at as phase_budget_dead;
pub(crate) use phase_budget_ignored::at as phase_budget_ignored;
pub(crate) use phase_budget_not_positive::at as phase_budget_not_positive;
pub(crate) use phase_counter_undeclared::at as phase_counter_undeclared;
pub(crate) use phase_dropped_key::at as phase_dropped_key;
pub(crate) use phase_intents_not_merged::at as phase_intents_not_merged;
pub(crate) use phase_name_parameter_unknown::at as phase_name_parameter_unknown;
pub(crate) use phase_null::at as phase_null;
pub(crate) use phase_parameter_missing::at as phase_parameter_missing;
pub(crate) use phase_parameter_unknown::at as phase_parameter_unknown;
pub(crate) use phase_reference_unknown::at as phase_reference_unknown;
pub(crate) use phase_template_null::at as phase_template_null;
pub(crate) use phase_template_unused::at as phase_template_unused;
pub(crate) use phases_no_templates::at as phases_no_templates;
pub(crate) use phases_template_missing::at as phases_template_missing;
pub(crate) use phases_template_unknown::at as phases_template_unknown;

/// The rules of this group.
pub const RULES: &[&Rule] = &[
    &phase_budget_dead::RULE,
    &phase_budget_ignored::RULE,
    &phase_budget_not_positive::RULE,
    &phase_counter_undeclared::RULE,
    &phase_dropped_key::RULE,
    &phase_intents_not_merged::RULE,
    &phase_name_parameter_unknown::RULE,
    &phase_null::RULE,
    &phase_on_enter_invalid::RULE,
    &phase_parameter_missing::RULE,
    &phase_parameter_unknown::RULE,
    &phase_reference_unknown::RULE,
    &phase_template_null::RULE,
    &phase_template_unused::RULE,
    &phases_no_templates::RULE,
    &phases_template_missing::RULE,
    &phases_template_unknown::RULE,
];

use kitsoki_syntax::TextRange;

/// The word in the braces of a room's name.
pub(crate) fn braced(name: &str, range: TextRange) -> &str {
    name.get(std::ops::Range::<usize>::from(range))
        .unwrap_or_default()
        .trim_matches(['{', '}'])
}
