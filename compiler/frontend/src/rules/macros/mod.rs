//! Rules about macros: they speak while a macro is expanded, because only the macro sees the declaration as written.
//!
//! Each file holds one rule and the words of its finding; the checks themselves are in [`crate::desugar`].

mod capture_arc_taken;
mod capture_default_intent;
mod capture_intent_taken;
mod exit_undeclared;
mod fallback_intent_missing;
mod fallback_intent_undeclared;
mod fallback_no_arc;
mod fallback_slot_shape;
mod fallback_state_missing;
mod fallback_state_unknown;
mod fallback_target_changed;
mod iface_no_default;
mod iface_op_undeclared;
mod iface_shape;
mod iface_undeclared;
mod implicit_fallback;
mod meta_builtin_overridden;
mod meta_mode_agent_missing;
mod meta_mode_cwd_unset_env;
mod meta_mode_default_count;
mod meta_mode_key_mismatch;
mod meta_mode_null;
mod meta_mode_trigger_duplicate;
mod meta_mode_trigger_is_intent;
mod meta_mode_trigger_missing;
mod meta_trigger_shared;
mod plugin_alias_prefix;
mod plugin_command_missing;
mod plugin_endpoint_missing;
mod plugin_env_unset;
mod plugin_kind_missing;
mod plugin_kind_unknown;
mod plugin_model_missing;
mod plugin_null;
mod provider_backend_unknown;
mod provider_effort_unknown;
mod provider_empty;
mod provider_env_unset;
mod provider_null;
mod workbench_agent_effect;
mod workbench_agent_missing;
mod workbench_agent_no_toolbox;
mod workbench_agent_undeclared;
mod workbench_capture_slot_name;
mod workbench_conflict;
mod workbench_context_undeclared;
mod workbench_plan_no_property;
mod workbench_plan_not_json;
mod workbench_plan_required;
mod workbench_plan_unreadable;
mod workbench_prompt_missing;
mod workbench_schema_missing;
mod workbench_workdir_undeclared;

use kitsoki_diagnostics::Rule;

/// The rules of this group.
pub const RULES: &[&Rule] = &[
    &capture_arc_taken::RULE,
    &capture_default_intent::RULE,
    &capture_intent_taken::RULE,
    &exit_undeclared::RULE,
    &fallback_intent_missing::RULE,
    &fallback_intent_undeclared::RULE,
    &fallback_no_arc::RULE,
    &fallback_slot_shape::RULE,
    &fallback_state_missing::RULE,
    &fallback_state_unknown::RULE,
    &fallback_target_changed::RULE,
    &iface_no_default::RULE,
    &iface_op_undeclared::RULE,
    &iface_shape::RULE,
    &iface_undeclared::RULE,
    &implicit_fallback::RULE,
    &meta_builtin_overridden::RULE,
    &meta_mode_agent_missing::RULE,
    &meta_mode_cwd_unset_env::RULE,
    &meta_mode_default_count::RULE,
    &meta_mode_key_mismatch::RULE,
    &meta_mode_null::RULE,
    &meta_mode_trigger_duplicate::RULE,
    &meta_mode_trigger_is_intent::RULE,
    &meta_mode_trigger_missing::RULE,
    &meta_trigger_shared::RULE,
    &plugin_alias_prefix::RULE,
    &plugin_command_missing::RULE,
    &plugin_endpoint_missing::RULE,
    &plugin_env_unset::RULE,
    &plugin_kind_missing::RULE,
    &plugin_kind_unknown::RULE,
    &plugin_model_missing::RULE,
    &plugin_null::RULE,
    &provider_backend_unknown::RULE,
    &provider_effort_unknown::RULE,
    &provider_empty::RULE,
    &provider_env_unset::RULE,
    &provider_null::RULE,
    &workbench_agent_effect::RULE,
    &workbench_agent_missing::RULE,
    &workbench_agent_no_toolbox::RULE,
    &workbench_agent_undeclared::RULE,
    &workbench_capture_slot_name::RULE,
    &workbench_conflict::RULE,
    &workbench_context_undeclared::RULE,
    &workbench_plan_no_property::RULE,
    &workbench_plan_not_json::RULE,
    &workbench_plan_required::RULE,
    &workbench_plan_unreadable::RULE,
    &workbench_prompt_missing::RULE,
    &workbench_schema_missing::RULE,
    &workbench_workdir_undeclared::RULE,
];

pub(crate) use capture_arc_taken::at as capture_arc_taken;
pub(crate) use capture_default_intent::at as capture_default_intent;
pub(crate) use capture_intent_taken::{at as capture_intent_taken, by_capture as capture_taken_by_capture};
pub(crate) use exit_undeclared::at as exit_undeclared;
pub(crate) use fallback_intent_missing::at as fallback_intent_missing;
pub(crate) use fallback_intent_undeclared::at as fallback_intent_undeclared;
pub(crate) use fallback_no_arc::at as fallback_no_arc;
pub(crate) use fallback_slot_shape::at as fallback_slot_shape;
pub(crate) use fallback_state_missing::at as fallback_state_missing;
pub(crate) use fallback_state_unknown::at as fallback_state_unknown;
pub(crate) use fallback_target_changed::at as fallback_target_changed;
pub(crate) use iface_no_default::{at as iface_no_default, null as iface_null};
pub(crate) use iface_op_undeclared::at as iface_op_undeclared;
pub(crate) use iface_shape::at as iface_shape;
pub(crate) use iface_undeclared::at as iface_undeclared;
pub(crate) use implicit_fallback::at as implicit_fallback;
pub(crate) use meta_builtin_overridden::at as meta_builtin_overridden;
pub(crate) use meta_mode_agent_missing::at as meta_mode_agent_missing;
pub(crate) use meta_mode_cwd_unset_env::at as meta_mode_cwd_unset_env;
pub(crate) use meta_mode_default_count::{many as meta_mode_many_defaults, none as meta_mode_no_default};
pub(crate) use meta_mode_key_mismatch::{at as meta_mode_key_mismatch, under_import as meta_mode_group_under_import};
pub(crate) use meta_mode_null::at as meta_mode_null;
pub(crate) use meta_mode_trigger_duplicate::at as meta_mode_trigger_duplicate;
pub(crate) use meta_mode_trigger_is_intent::at as meta_mode_trigger_is_intent;
pub(crate) use meta_mode_trigger_missing::at as meta_mode_trigger_missing;
pub(crate) use meta_trigger_shared::at as meta_trigger_shared;
pub(crate) use plugin_alias_prefix::at as plugin_alias_prefix;
pub(crate) use plugin_command_missing::at as plugin_command_missing;
pub(crate) use plugin_endpoint_missing::at as plugin_endpoint_missing;
pub(crate) use plugin_env_unset::at as plugin_env_unset;
pub(crate) use plugin_kind_missing::at as plugin_kind_missing;
pub(crate) use plugin_kind_unknown::at as plugin_kind_unknown;
pub(crate) use plugin_model_missing::at as plugin_model_missing;
pub(crate) use plugin_null::at as plugin_null;
pub(crate) use provider_backend_unknown::at as provider_backend_unknown;
pub(crate) use provider_effort_unknown::at as provider_effort_unknown;
pub(crate) use provider_empty::at as provider_empty;
pub(crate) use provider_env_unset::at as provider_env_unset;
pub(crate) use provider_null::at as provider_null;
pub(crate) use workbench_agent_effect::at as workbench_agent_effect;
pub(crate) use workbench_agent_missing::at as workbench_agent_missing;
pub(crate) use workbench_agent_no_toolbox::at as workbench_agent_no_toolbox;
pub(crate) use workbench_agent_undeclared::at as workbench_agent_undeclared;
pub(crate) use workbench_capture_slot_name::at as workbench_capture_slot_name;
pub(crate) use workbench_conflict::at as workbench_conflict;
pub(crate) use workbench_context_undeclared::uses as workbench_context_reads;
pub(crate) use workbench_plan_no_property::at as workbench_plan_no_property;
pub(crate) use workbench_plan_not_json::at as workbench_plan_not_json;
pub(crate) use workbench_plan_required::at as workbench_plan_required;
pub(crate) use workbench_plan_unreadable::at as workbench_plan_unreadable;
pub(crate) use workbench_prompt_missing::at as workbench_prompt_missing;
pub(crate) use workbench_schema_missing::at as workbench_schema_missing;
pub(crate) use workbench_workdir_undeclared::at as workbench_workdir_undeclared;
