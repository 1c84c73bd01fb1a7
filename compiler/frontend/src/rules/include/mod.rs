//! Rules about `include:`; [`crate::package`] calls them while it merges files (`language` 1.5).

pub(crate) mod include_collision;
pub(crate) mod include_dropped_section;
pub(crate) mod include_empty;
pub(crate) mod include_no_match;
pub(crate) mod include_pattern;
pub(crate) mod include_phases_twice;
pub(crate) mod include_unreadable;

use kitsoki_diagnostics::Rule;

pub(crate) use include_collision::at as include_collision;
pub(crate) use include_dropped_section::at as include_dropped_section;
pub(crate) use include_empty::at as include_empty;
pub(crate) use include_no_match::at as include_no_match;
pub(crate) use include_pattern::at as include_pattern;
pub(crate) use include_phases_twice::at as include_phases_twice;
pub(crate) use include_unreadable::at as include_unreadable;

/// The rules of this group.
pub const RULES: &[&Rule] = &[
    &include_collision::RULE,
    &include_dropped_section::RULE,
    &include_empty::RULE,
    &include_no_match::RULE,
    &include_pattern::RULE,
    &include_phases_twice::RULE,
    &include_unreadable::RULE,
];
