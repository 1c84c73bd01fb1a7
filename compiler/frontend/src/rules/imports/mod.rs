//! Rules about imports; [`crate::fold`] calls most of them while it folds, the rest runs over the finished story (`imports`).

pub(crate) mod import_alias_syntax;
pub(crate) mod import_alias_taken;
pub(crate) mod import_asset_mangled;
pub(crate) mod import_binding_script;
pub(crate) mod import_binding_unknown;
pub(crate) mod import_collision;
pub(crate) mod import_cycle;
pub(crate) mod import_dropped_section;
pub(crate) mod import_engine_key;
pub(crate) mod import_entry_missing;
pub(crate) mod import_exit_no_projection;
pub(crate) mod import_exit_requires;
pub(crate) mod import_exit_undeclared;
pub(crate) mod import_exit_unmapped;
pub(crate) mod import_exit_unused;
pub(crate) mod import_export_overwrites;
pub(crate) mod import_export_unknown;
pub(crate) mod import_git;
pub(crate) mod import_host_missing;
pub(crate) mod import_hosts_mode;
pub(crate) mod import_inline_prompt;
pub(crate) mod import_interface_unused;
pub(crate) mod import_lift_collides;
pub(crate) mod import_lift_not_exported;
pub(crate) mod import_lift_undefined;
pub(crate) mod import_not_rewritten;
pub(crate) mod import_null;
pub(crate) mod import_override_intent_unknown;
pub(crate) mod import_override_path;
pub(crate) mod import_override_prompt_missing;
pub(crate) mod import_override_state_unknown;
pub(crate) mod import_override_unused;
pub(crate) mod import_projection_unknown;
pub(crate) mod import_prose_rewritten;
pub(crate) mod import_requires_guarded;
pub(crate) mod import_requires_zero;
pub(crate) mod import_reserved_projection;
pub(crate) mod import_shared_key;
pub(crate) mod import_source_discovery;
pub(crate) mod import_source_missing;
pub(crate) mod import_source_name;
pub(crate) mod import_source_not_found;
pub(crate) mod import_source_override;
pub(crate) mod import_source_shape;
pub(crate) mod import_target_escapes;
pub(crate) mod import_templated_target;
pub(crate) mod import_text_coercion;
pub(crate) mod import_too_large;
pub(crate) mod import_unreadable;
pub(crate) mod import_version_syntax;
pub(crate) mod import_version_unsatisfied;
pub(crate) mod import_world_in_undeclared;
pub(crate) mod reach_into_child;

use kitsoki_diagnostics::Rule;

pub(crate) use import_alias_syntax::at as import_alias_syntax;
pub(crate) use import_alias_taken::at as import_alias_taken;
pub(crate) use import_asset_mangled::at as import_asset_mangled;
pub(crate) use import_binding_script::at as import_binding_script;
pub(crate) use import_binding_unknown::at as import_binding_unknown;
pub(crate) use import_collision::at as import_collision;
pub(crate) use import_cycle::at as import_cycle;
pub(crate) use import_dropped_section::at as import_dropped_section;
pub(crate) use import_engine_key::at as import_engine_key;
pub(crate) use import_entry_missing::at as import_entry_missing;
pub(crate) use import_exit_no_projection::at as import_exit_no_projection;
pub(crate) use import_exit_requires::at as import_exit_requires;
pub(crate) use import_exit_undeclared::at as import_exit_undeclared;
pub(crate) use import_exit_unmapped::at as import_exit_unmapped;
pub(crate) use import_exit_unused::at as import_exit_unused;
pub(crate) use import_export_overwrites::at as import_export_overwrites;
pub(crate) use import_export_unknown::at as import_export_unknown;
pub(crate) use import_git::at as import_git;
pub(crate) use import_host_missing::at as import_host_missing;
pub(crate) use import_hosts_mode::at as import_hosts_mode;
pub(crate) use import_inline_prompt::at as import_inline_prompt;
pub(crate) use import_lift_collides::at as import_lift_collides;
pub(crate) use import_lift_not_exported::at as import_lift_not_exported;
pub(crate) use import_lift_undefined::at as import_lift_undefined;
pub(crate) use import_not_rewritten::at as import_not_rewritten;
pub(crate) use import_null::at as import_null;
pub(crate) use import_override_intent_unknown::at as import_override_intent_unknown;
pub(crate) use import_override_path::at as import_override_path;
pub(crate) use import_override_prompt_missing::at as import_override_prompt_missing;
pub(crate) use import_override_state_unknown::at as import_override_state_unknown;
pub(crate) use import_override_unused::at as import_override_unused;
pub(crate) use import_projection_unknown::at as import_projection_unknown;
pub(crate) use import_prose_rewritten::at as import_prose_rewritten;
pub(crate) use import_requires_guarded::at as import_requires_guarded;
pub(crate) use import_requires_zero::at as import_requires_zero;
pub(crate) use import_reserved_projection::at as import_reserved_projection;
pub(crate) use import_shared_key::at as import_shared_key;
pub(crate) use import_source_discovery::at as import_source_discovery;
pub(crate) use import_source_missing::at as import_source_missing;
pub(crate) use import_source_name::at as import_source_name;
pub(crate) use import_source_not_found::at as import_source_not_found;
pub(crate) use import_source_override::at as import_source_override;
pub(crate) use import_source_shape::at as import_source_shape;
pub(crate) use import_target_escapes::at as import_target_escapes;
pub(crate) use import_templated_target::at as import_templated_target;
pub(crate) use import_text_coercion::at as import_text_coercion;
pub(crate) use import_too_large::at as import_too_large;
pub(crate) use import_unreadable::at as import_unreadable;
pub(crate) use import_version_syntax::at as import_version_syntax;
pub(crate) use import_version_unsatisfied::at as import_version_unsatisfied;
pub(crate) use import_world_in_undeclared::at as import_world_in_undeclared;

/// The rules of this group.
pub const RULES: &[&Rule] = &[
    &import_alias_syntax::RULE,
    &import_alias_taken::RULE,
    &import_asset_mangled::RULE,
    &import_binding_script::RULE,
    &import_binding_unknown::RULE,
    &import_collision::RULE,
    &import_cycle::RULE,
    &import_dropped_section::RULE,
    &import_engine_key::RULE,
    &import_entry_missing::RULE,
    &import_exit_no_projection::RULE,
    &import_exit_requires::RULE,
    &import_exit_undeclared::RULE,
    &import_exit_unmapped::RULE,
    &import_exit_unused::RULE,
    &import_export_overwrites::RULE,
    &import_export_unknown::RULE,
    &import_git::RULE,
    &import_host_missing::RULE,
    &import_hosts_mode::RULE,
    &import_inline_prompt::RULE,
    &import_interface_unused::RULE,
    &import_lift_collides::RULE,
    &import_lift_not_exported::RULE,
    &import_lift_undefined::RULE,
    &import_not_rewritten::RULE,
    &import_null::RULE,
    &import_override_intent_unknown::RULE,
    &import_override_path::RULE,
    &import_override_prompt_missing::RULE,
    &import_override_state_unknown::RULE,
    &import_override_unused::RULE,
    &import_projection_unknown::RULE,
    &import_prose_rewritten::RULE,
    &import_requires_guarded::RULE,
    &import_requires_zero::RULE,
    &import_reserved_projection::RULE,
    &import_shared_key::RULE,
    &import_source_discovery::RULE,
    &import_source_missing::RULE,
    &import_source_name::RULE,
    &import_source_not_found::RULE,
    &import_source_override::RULE,
    &import_source_shape::RULE,
    &import_target_escapes::RULE,
    &import_templated_target::RULE,
    &import_text_coercion::RULE,
    &import_too_large::RULE,
    &import_unreadable::RULE,
    &import_version_syntax::RULE,
    &import_version_unsatisfied::RULE,
    &import_world_in_undeclared::RULE,
    &reach_into_child::RULE,
];

use kitsoki_diagnostics::{Diagnostic, Fix, code};
use kitsoki_syntax::Span;
use smol_str::SmolStr;

use super::cx::StoryCx;

/// What the rules of this group say about the finished story.
pub(crate) fn check(cx: &StoryCx<'_>, out: &mut Vec<Diagnostic>) {
    out.extend(crate::fold::cycles(cx.db, cx.story.file));
    reach_into_child::check(cx, out);
    import_interface_unused::check(cx, out);
    import_lift_undefined::check(cx, out);
}

/// Adds the name that is probably meant, with its place.
fn offer(finding: Diagnostic, span: Span, near: Option<(SmolStr, Span)>, label: &str) -> Diagnostic {
    match near {
        Some((word, place)) => finding
            .label(place, label.to_owned())
            .help(format!("change it to {}", code(&word)))
            .fix(Fix::replace(span, word.as_str()).title(format!("change it to {}", code(&word)))),
        None => finding,
    }
}

/// Adds the source that is probably meant.
fn offer_source(finding: Diagnostic, span: Span, near: Option<String>) -> Diagnostic {
    match near {
        Some(near) => finding
            .help(format!("change it to {}", code(&near)))
            .fix(Fix::replace(span, near.as_str()).title(format!("change it to {}", code(&near)))),
        None => finding,
    }
}
